import { DrawnByRow } from '../port/row-sampler.js';
import type { Likelihoods, ModelHead } from './model-head.js';
import type { JsonValue } from './specification.js';

/** A model of rows of 0 and 1, with what the head of its file says of it. */
export abstract class HeadedModel extends DrawnByRow implements Omit<ModelHead, 'table'> {
  abstract readonly family: string;
  readonly dimensions: number;
  readonly names: readonly string[] | null;
  readonly shape: readonly [number, number] | null;
  readonly specification: JsonValue;
  readonly likelihoods: Likelihoods;

  constructor({ dimensions, names, shape, specification, likelihoods }: Omit<ModelHead, 'family'>) {
    super();
    this.dimensions = dimensions;
    this.names = names;
    this.shape = shape;
    this.specification = specification;
    this.likelihoods = likelihoods;
  }
}
