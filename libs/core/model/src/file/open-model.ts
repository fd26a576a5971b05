import type { DensityModel } from '../port/density-model.js';
import { ModelError } from '../errors.js';
import type { ModelBody } from './model-body.js';
import { readModelFile } from './model-file.js';
import type { ModelHead } from './model-head.js';
import type { UnpackingRoom } from './unpacking.js';

/** How the models of one family are read. Writing is the model's own `toBytes`, by `writeModelFile`. */
export interface ModelCodec {
  /** The family's name in the file. */
  readonly family: string;
  /** Makes the model of a file's head and arrays. @throws ModelError where they contradict each other */
  read(head: ModelHead, body: ModelBody): DensityModel;
}

/**
 * Reads the model file of any of the families.
 * @param codecs those that are known: one each family
 * @param room of the file that this is a member of
 * @throws ModelError `unknown-family`, and as {@link readModelFile} and the family's codec do
 */
export function openModel(bytes: Uint8Array, codecs: readonly ModelCodec[], room?: UnpackingRoom): DensityModel {
  const { head, body } = readModelFile(bytes, room);
  const fitting = codecs.filter(({ family }) => family === head.family);
  if (fitting.length > 1) throw new RangeError(`${fitting.length} codecs are registered for ${head.family}`);
  if (fitting.length === 0) throw unknownFamily(head.family, codecs);
  return fitting[0]!.read(head, body);
}

/** The refusal of a file whose family is none of those that can be read here. */
export function unknownFamily(family: string, codecs: readonly Pick<ModelCodec, 'family'>[]): ModelError {
  return new ModelError('unknown-family', {
    got: `a model of the family ${JSON.stringify(family)}`,
    expected: codecs.map((codec) => codec.family).join(', ') || 'nothing, since no family is registered',
    where: 'family',
    remedy: 'Read it with a release that knows this family.',
  });
}
