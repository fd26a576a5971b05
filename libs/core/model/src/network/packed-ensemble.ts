import { Packr } from 'msgpackr';
import type { Ensemble } from './ensemble.js';
import { packFloats, packIntegers, unpackFloats, unpackIntegers } from '../file/little-endian.js';

const packr = new Packr({ useRecords: false, variableMapSize: true, encodeUndefinedAsNil: false });

/**
 * One ensemble as a msgpack map of its columns, each as in a network file: integers in 1, 2 or 4 bytes, whatever the
 * largest takes, numbers in 8. The same ensemble gives the same bytes.
 */
export function packEnsemble({ startOdds, leafCounts, ...columns }: Ensemble): Uint8Array {
  return packr.pack({
    startOdds,
    leafCounts: packIntegers(leafCounts),
    splitLeaf: packIntegers(columns.splitLeaf),
    splitPredictor: packIntegers(columns.splitPredictor),
    splitGain: packFloats(columns.splitGain),
    leafFactor: packFloats(columns.leafFactor),
  });
}

/**
 * The ensemble of `trees` trees, or null where the bytes are none. Only their form is looked at; what the numbers say
 * is left to `validateEnsemble`.
 */
export function unpackEnsemble(packed: Uint8Array, trees: number): Ensemble | null {
  let content: unknown;
  try {
    content = packr.unpack(packed);
  } catch {
    return null;
  }
  if (typeof content !== 'object' || content === null) return null;
  const { startOdds, ...columns } = content as Readonly<Record<string, unknown>>;
  const column = (name: Exclude<keyof Ensemble, 'startOdds'>): Uint8Array =>
    columns[name] instanceof Uint8Array ? columns[name] : new Uint8Array(0);
  const splits = column('splitGain').length / 8;
  if (typeof startOdds !== 'number' || !Number.isInteger(splits)) return null;
  const leafCounts = unpackIntegers(column('leafCounts'), trees);
  const splitLeaf = unpackIntegers(column('splitLeaf'), splits);
  const splitPredictor = unpackIntegers(column('splitPredictor'), splits);
  const splitGain = unpackFloats(column('splitGain'), splits);
  const leafFactor = unpackFloats(column('leafFactor'), splits + trees);
  if (!leafCounts || !splitLeaf || !splitPredictor || !splitGain || !leafFactor) return null;
  return { startOdds, leafCounts, splitLeaf, splitPredictor, splitGain, leafFactor };
}
