import type { BitMatrix } from '@orchard/dataset';
import { Network, type Ensemble, type ModelHead } from '@orchard/model';
import { log } from '@orchard/numerics';

/** The most parents that a pixel may have. */
export const MOST_PARENTS = 4;
const CELLS = 2 ** (MOST_PARENTS + 1);

type Shape = readonly [number, number];

/** Parents of each pixel, and rows of each value that every line of a table begins with (ε). */
export interface GridTables {
  readonly parents: number;
  readonly pseudoCount: number;
}

/**
 * The parents of a pixel on a grid (Goessling's thesis, 5.2.2), as far as they are there: top and left are the two of a
 * second-order Markov mesh, top-left is the third, top-right the fourth. -1 where it is beyond the edge.
 */
export function gridParents([, width]: Shape, pixel: number): readonly number[] {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const steps = [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ] as const;
  return steps.map(([up, left]) => {
    const beside = column - left;
    return row >= up && beside >= 0 && beside < width ? pixel - up * width - left : -1;
  });
}

/**
 * How often each pixel is 0 and 1 with each of its parents' values: of a pixel 32 counts, of which `2 c + v` is of
 * value v under configuration c, whose bit k is the value of parent k.
 */
export function countTables(matrix: BitMatrix, shape: Shape): Uint32Array {
  const { rows, dimensions } = matrix;
  const parents = Int32Array.from({ length: dimensions * MOST_PARENTS }, (_, at) =>
    gridParents(shape, Math.floor(at / MOST_PARENTS)).at(at % MOST_PARENTS)!,
  );
  const counts = new Uint32Array(dimensions * CELLS);
  // what is beyond the edge is 0
  const values = new Uint8Array(dimensions + 1);
  for (let row = 0; row < rows; row++) {
    for (let pixel = 0; pixel < dimensions; pixel++) {
      const value = matrix.get(row, pixel);
      values[pixel] = value;
      let cell = value;
      for (let k = 0; k < MOST_PARENTS; k++) {
        const parent = parents[pixel * MOST_PARENTS + k]!;
        if (parent >= 0) cell += values[parent]! << (k + 1);
      }
      counts[pixel * CELLS + cell]!++;
    }
  }
  return counts;
}

/** The counts of a pixel with its first parents alone: element `2 c + v`. */
function cellsOf(counts: Uint32Array, pixel: number, parents: number): Uint32Array {
  const cells = new Uint32Array(2 ** (parents + 1));
  for (let cell = 0; cell < CELLS; cell++) cells[cell % cells.length]! += counts[pixel * CELLS + cell]!;
  return cells;
}

/** Summed log-likelihood, nats, of the rows counted in `judged`, under tables of those counted in `counts`. */
export function natsOfTables(counts: Uint32Array, judged: Uint32Array, { parents, pseudoCount }: GridTables): number {
  let nats = 0;
  for (let pixel = 0; pixel * CELLS < counts.length; pixel++) {
    const [own, asked] = [counts, judged].map((all) => cellsOf(all, pixel, parents)) as [Uint32Array, Uint32Array];
    for (let cell = 0; cell < own.length; cell += 2) {
      const total = own[cell]! + own[cell + 1]! + 2 * pseudoCount;
      for (const value of [0, 1]) nats += asked[cell + value]! * log((own[cell + value]! + pseudoCount) / total);
    }
  }
  return nats;
}

/**
 * The network of these tables. A table is a tree that asks every parent, so the model is a `Network`: leaf c is
 * configuration c of the parents that are there, with odds (ones + ε) / (zeros + ε).
 */
export function networkOfTables(
  counts: Uint32Array,
  head: Omit<ModelHead, 'family'>,
  { parents, pseudoCount }: GridTables,
): Network {
  const ensembles = Array.from({ length: head.dimensions }, (_, pixel) => {
    const beside = gridParents(head.shape!, pixel).slice(0, parents);
    return tableAsTree(cellsOf(counts, pixel, parents), beside, pseudoCount);
  });
  return new Network({ ...head, ordering: Uint32Array.from(ensembles.keys()), ensembles });
}

function tableAsTree(cells: Uint32Array, parents: readonly number[], pseudoCount: number): Ensemble {
  const there = [...parents.keys()].filter((k) => parents[k]! >= 0);
  const splitLeaf: number[] = [];
  const splitPredictor: number[] = [];
  const splitGain: number[] = [];
  /** Zeros and ones of a leaf, whose first `asked` parents have the bits of its number. */
  const countsOf = (leaf: number, asked: number): readonly [number, number] => {
    const sums: [number, number] = [0, 0];
    for (let cell = 0; cell < cells.length; cell++) {
      const isOwn = there.slice(0, asked).every((k, bit) => ((cell >> (k + 1)) & 1) === ((leaf >> bit) & 1));
      if (isOwn) sums[cell & 1]! += cells[cell]!;
    }
    return sums;
  };
  there.forEach((k, asked) => {
    for (let leaf = 0; leaf < 2 ** asked; leaf++) {
      const [zero, one] = [leaf, leaf + 2 ** asked].map((child) => natsOf(countsOf(child, asked + 1)));
      splitLeaf.push(leaf);
      splitPredictor.push(parents[k]!);
      splitGain.push(Math.max(0, zero! + one! - natsOf(countsOf(leaf, asked))));
    }
  });
  const leaves = splitLeaf.length + 1;
  return {
    startOdds: 1,
    leafCounts: Uint32Array.of(leaves),
    splitLeaf: Uint32Array.from(splitLeaf),
    splitPredictor: Uint32Array.from(splitPredictor),
    splitGain: Float64Array.from(splitGain),
    leafFactor: Float64Array.from({ length: leaves }, (_, leaf) => {
      const [zeros, ones] = countsOf(leaf, there.length);
      return (ones + pseudoCount) / (zeros + pseudoCount);
    }),
  };
}

/** Log-likelihood of counts under their own shares. */
function natsOf(counts: readonly [number, number]): number {
  const total = counts[0] + counts[1];
  return counts.reduce((sum, count) => (count > 0 ? sum + count * log(count / total) : sum), 0);
}
