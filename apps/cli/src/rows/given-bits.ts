import { BitMatrix } from '@orchard/dataset';
import type { Completion, DensityModel } from '@orchard/model';
import { UsageError } from '../errors.js';
import { givenWords } from './given-words.js';
import { dimensionOf } from './name-of-dimension.js';
import type { Terminal } from '../output/terminal.js';

/** Particles a row, where a family cannot draw exactly what is given. */
const PARTICLES = 64;

/**
 * Rows of 0 and 1 of which some columns are given, the others drawn as `complete` draws them. Says how many rows are
 * like that, and how far draws by particles can be trusted.
 *
 * @param lists as `smoker=1,3=0`: columns by name or number, each with 0 or 1
 * @throws UsageError for a column that the model has not, or another value
 */
export function sampleGivenBits(
  network: DensityModel,
  lists: readonly string[],
  { count, seed }: { readonly count: number; readonly seed: number },
  terminal: Terminal,
): BitMatrix {
  const given = givenBits(network, givenWords(lists));
  const { matrix, exact, effectiveSampleSize, logEvidence } = sampleWithBits(network, given, { count, seed });
  const mean = logEvidence.reduce((sum, nats) => sum + Math.exp(nats), 0) / count;
  terminal.note(`orchard: ${(100 * mean).toPrecision(3)} % of all rows are like that`);
  if (exact[0] !== 1) {
    const least = effectiveSampleSize.reduce((low, size) => Math.min(low, size), Infinity);
    terminal.note(
      `orchard: each row from ${String(PARTICLES)} particles, worth at least ${least.toFixed(1)} independent ones`,
    );
  }
  return matrix;
}

/** Rows of which some columns are given, the others sampled given these. */
export function sampleWithBits(
  network: DensityModel,
  given: ReadonlyMap<number, 0 | 1>,
  { count, seed }: { readonly count: number; readonly seed: number },
): Completion {
  const { dimensions, names, shape } = network;
  const values = BitMatrix.create(count, dimensions, { names, shape });
  const known = BitMatrix.create(count, dimensions);
  for (let row = 0; row < count; row++)
    for (const [dim, bit] of given) {
      values.set(row, dim, bit);
      known.set(row, dim, 1);
    }
  return network.complete(values, known, { seed, samples: PARTICLES });
}

/** @throws UsageError for a column that the model has not, or another value than 0 and 1 */
export function givenBits(
  { dimensions, names }: DensityModel,
  conditions: readonly (readonly [column: string, values: readonly string[]])[],
): Map<number, 0 | 1> {
  const given = new Map<number, 0 | 1>();
  for (const [name, said] of conditions) {
    const dim = dimensionOf(name, '--given', dimensions, names);
    const [text] = said;
    if (said.length !== 1 || (text !== '0' && text !== '1'))
      throw new UsageError({
        got: `${said.join('|') || 'no value'} for ${name}`,
        expected: '0 or 1: the model is of rows of 0 and 1',
        where: '--given',
        remedy: `Write ${name}=0 or ${name}=1.`,
      });
    const bit = text === '1' ? 1 : 0;
    if (given.get(dim) === 1 - bit)
      throw new UsageError({
        got: `${name} as 0 and as 1`,
        expected: 'one value of a column',
        where: '--given',
        remedy: 'Leave one of them out.',
      });
    given.set(dim, bit);
  }
  return given;
}
