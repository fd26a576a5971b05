import { columnsIn } from '@orchard/dataset';
import { isBound, kindOfNoModel, ModelError, type DensityModel } from '@orchard/model';
import { openModel } from '@orchard/registry/models';
import { readOr } from './dropped-file.js';
import type { OpenedModel } from './messages.js';
import { RefusedFile } from './refused-file.js';

/** Browsers hold no more in one piece. */
const MOST_BYTES = 2 ** 31 - 1;

/** @throws RefusedFile for what is not a model, or a damaged one */
export async function openModelFile(file: File): Promise<DensityModel> {
  const { name, size } = file;
  if (size > MOST_BYTES)
    throw new RefusedFile(
      `${name} has ${(size / 1e9).toFixed(1)} GB; a browser opens models of up to 2 GB.`,
      'Use the command line: orchard evaluate.',
    );
  const bytes = new Uint8Array(await readOr(name, file.arrayBuffer()));
  try {
    return openModel(bytes);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const kind = error.code === 'not-a-network-file' ? kindOfNoModel(bytes) : null;
    if (kind !== null)
      throw new RefusedFile(
        `${name} is ${kind}, and no model.`,
        'Give the file network.msgpack from the folder of a run.',
      );
    throw new RefusedFile(`${name}: got ${error.got}, expected ${error.expected}.`, error.remedy);
  }
}

export function describeModel(model: DensityModel, name: string): OpenedModel {
  const { names, count } = columnsIn(model);
  return {
    name,
    family: model.family,
    isOfTable: model.table !== undefined,
    columns: names,
    dimensions: count,
    validation: model.likelihoods.valid,
    isBound: isBound(model),
  };
}
