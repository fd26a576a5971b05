import type { Table } from '@orchard/contracts';
import { DrawnByRow } from '../port/row-sampler.js';
import type { BodyArrays } from './model-body.js';
import { writeModelFile } from './model-file.js';
import type { Likelihoods, ModelHead } from './model-head.js';
import type { JsonValue } from './specification.js';

/** A model with what its file says of it. */
export abstract class HeadedModel extends DrawnByRow implements ModelHead {
  abstract readonly family: string;
  readonly dimensions: number;
  readonly names: readonly string[] | null;
  readonly shape: readonly [number, number] | null;
  /** Of a model of a table. */
  declare readonly table?: Table;
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

  /** What its file holds beside the head. */
  protected abstract body(): BodyArrays;

  toBytes(): Uint8Array {
    return writeModelFile(this, this.body());
  }
}
