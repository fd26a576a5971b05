import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { countPairs } from './pairs/count-pairs.js';
import { SmoothedPairs } from './pairs/smoothed-pairs.js';
import { describe, expect, test } from 'vitest';
import { chooseEdges, chowLiuForest, CodeForest, Forest, forestOf, productForest } from './index.js';

/** A forest of so many places on columns of a row of 10, none of them in the order of the tree. */
function randomForest(size: number, seed: number): Forest {
  const stream = new RandomStream(seed, 1008);
  const columns = Uint32Array.from([7, 2, 9, 0, 4, 1, 8].slice(0, size));
  // the last place is a root, and may be the parent of any before it
  const parents = Int32Array.from(columns, (_, place) => {
    const choices = size - 1 - place;
    return choices === 0 || stream.below(5) === 0 ? -1 : place + 1 + stream.below(choices);
  });
  const rates = new Float64Array(2 * size);
  parents.forEach((parent, place) => {
    rates[2 * place] = 0.02 + 0.96 * stream.uniform();
    rates[2 * place + 1] = parent < 0 ? rates[2 * place]! : 0.02 + 0.96 * stream.uniform();
  });
  return new Forest(columns, parents, rates);
}

function valuesOf(matrix: BitMatrix, row: number): Uint8Array {
  return Uint8Array.from({ length: matrix.dimensions }, (_, column) => matrix.get(row, column));
}

/** All values of the forest's columns, one a row of 10; others are 0. */
function everyRow({ columns, size }: Forest): BitMatrix {
  const rows = BitMatrix.create(2 ** size, 10);
  for (let row = 0; row < rows.rows; row++)
    columns.forEach((column, place) => {
      rows.set(row, column, ((row >> place) & 1) === 1);
    });
  return rows;
}

const forests = [1, 2, 3, 6].flatMap((size) => [1, 2, 3].map((seed) => [size, seed] as const));

describe.each(forests)('a forest of %i columns, number %i', (size, seed) => {
  const forest = randomForest(size, seed);
  const rows = everyRow(forest);
  const law = Array.from({ length: rows.rows }, (_, row) => Math.exp(forest.logProbability(valuesOf(rows, row))));
  const fits = (row: number, values: number, mask: number): boolean => ((row ^ values) & mask) === 0;
  const maskOf = (mask: number): BitMatrix => {
    const known = BitMatrix.create(rows.rows, 10);
    for (let row = 0; row < rows.rows; row++)
      forest.columns.forEach((column, place) => {
        known.set(row, column, ((mask >> place) & 1) === 1);
      });
    return known;
  };

  test('is a distribution, told by its columns', () => {
    expect(Math.abs(law.reduce((sum, p) => sum + p, 0) - 1)).toBeLessThan(1e-12);
    const cells = new Float64Array(10);
    forest.cellsInto(valuesOf(rows, rows.rows - 1), cells, 0);
    expect(cells.reduce((sum, nats) => sum + nats, 0)).toBeCloseTo(Math.log(law.at(-1)!), 12);
    expect(forest.entropy()).toBeCloseTo(-law.reduce((sum, p) => sum + p * Math.log(p), 0), 12);
  });

  test('answers every mask as the sums over all rows do', () => {
    let off = 0;
    const agree = (got: number, expected: number): void => {
      off = Math.max(off, Math.abs(got - expected));
    };
    for (let mask = 0; mask < 2 ** size; mask++) {
      const known = maskOf(mask);
      const rates = new Float64Array(10);
      for (let values = 0; values < 2 ** size; values++) {
        const fitting = law.map((p, row) => (fits(row, values, mask) ? p : 0));
        const total = fitting.reduce((sum, p) => sum + p, 0);
        agree(forest.logEvidence(rows, known, values), Math.log(total));
        agree(forest.marginalsInto(rows, known, values, rates, 0), Math.log(total));
        forest.columns.forEach((column, place) => {
          const ones = fitting.reduce((sum, p, row) => sum + ((row >> place) & 1) * p, 0);
          agree(rates[column]!, ones / total);
        });
        const filled = rows.selectRows([values]);
        const most = forest.mostProbableInto(filled, known, 0);
        agree(most, Math.log(Math.max(...fitting)));
        agree(forest.logProbability(valuesOf(filled, 0)), most);
        agree(forest.logMostProbable(rows, known, values), most);
        agree(fits(placesOf(forest, filled), values, mask) ? 0 : 1, 0);
      }
    }
    expect(off).toBeLessThan(1e-11);
  });

  test('draws a value where the number is below its probability, whatever the other numbers are', () => {
    forest.columns.forEach((column, place) => {
      const known = maskOf(2 ** size - 1 - 2 ** place);
      for (let values = 0; values < 2 ** size; values++) {
        const [one, zero] = [law[values | (2 ** place)]!, law[values & ~(2 ** place)]!];
        for (const [off, drawn] of [
          [-1e-9, 1],
          [1e-9, 0],
        ] as const) {
          const row = rows.selectRows([values]);
          const evidence = forest.drawInto(row, known, 0, () => one / (one + zero) + off);
          expect([row.get(0, column), fits(placesOf(forest, row), values, 2 ** size - 1 - 2 ** place)]).toEqual([
            drawn,
            true,
          ]);
          expect(evidence).toBeCloseTo(Math.log(one + zero), 11);
        }
      }
    });
  });

  test('draws rows as often as they are probable, one number a column', () => {
    const stream = new RandomStream(seed, 1011);
    const nothing = BitMatrix.create(1, 10);
    const counts = new Float64Array(law.length);
    const draws = 4000;
    let numbers = 0;
    for (let draw = 0; draw < draws; draw++) {
      const row = BitMatrix.create(1, 10);
      forest.drawInto(row, nothing, 0, () => (numbers++, stream.uniform()));
      counts[placesOf(forest, row)]!++;
    }
    expect(numbers).toBe(draws * size);
    // six standard deviations
    law.forEach((p, row) => {
      expect(Math.abs(counts[row]! - draws * p)).toBeLessThan(6 * Math.sqrt(draws * p) + 2);
    });
  });
});

describe('what is extreme', () => {
  test('a star of 3000 leaves that all contradict their root does not underflow', () => {
    const size = 3001;
    const parents = new Int32Array(size).fill(0);
    parents[0] = -1;
    const rates = new Float64Array(2 * size).fill(0.5);
    for (let place = 1; place < size; place++) [rates[2 * place], rates[2 * place + 1]] = [1e-4, 2e-4];
    const forest = new Forest(
      Uint32Array.from(parents, (_, place) => place),
      parents,
      rates,
    );
    const rows = BitMatrix.create(1, size);
    const known = BitMatrix.create(1, size);
    for (let place = 1; place < size; place++) {
      rows.set(0, place, 1);
      known.set(0, place, 1);
    }
    expect(forest.logEvidence(rows, known, 0)).toBeCloseTo(Math.log(0.5) + 3000 * Math.log(2e-4), 6);
    const marginals = new Float64Array(size);
    forest.marginalsInto(rows, known, 0, marginals, 0);
    expect(marginals[0]).toBe(1);
  });

  describe.each([400, 380, 330])('a star of 800 leaves, %i of which contradict the others', (ones) => {
    const parents = new Int32Array(801).fill(0);
    parents[0] = -1;
    // those that the pass up meets first say one thing, and the others the opposite
    const leaves = Array.from({ length: 800 }, (_, leaf) => (leaf < 800 - ones ? 0 : 1));
    const known = BitMatrix.fromRows([`0${'1'.repeat(800)}`]);
    const zeros = Math.log(0.5) + (800 - ones) * Math.log(0.99) + ones * Math.log(0.01);
    const isOne = 1 / (1 + (0.99 / 0.01) ** (800 - 2 * ones));
    const evidence = zeros - Math.log(1 - isOne);

    test('of bits', () => {
      const columns = Uint32Array.from(parents, (_, place) => place);
      const rates = Float64Array.from({ length: 1602 }, (_, at) => (at < 2 ? 0.5 : at % 2 === 0 ? 0.01 : 0.99));
      const forest = new Forest(columns, parents, rates);
      const rows = BitMatrix.fromRows([`0${leaves.join('')}`]);
      const marginals = new Float64Array(801);
      expect(forest.marginalsInto(rows, known, 0, marginals, 0)).toBeCloseTo(evidence, 8);
      expect(marginals[0]! / isOne).toBeCloseTo(1, 8);
      expect(forest.logMostProbable(rows, known, 0)).toBeCloseTo(zeros, 8);
    });

    test('of codes', () => {
      const groupOf = Uint16Array.of(0, 1);
      const within = Float64Array.of(1, 1);
      const forest = new CodeForest(
        Array.from(parents, (parent) => ({
          ...{ parent, groupOf, within },
          given: parent < 0 ? Float64Array.of(0.5, 0.5) : Float64Array.of(0.99, 0.01, 0.01, 0.99),
        })),
      );
      expect(forest.condition([null, ...leaves])).toBeCloseTo(evidence, 8);
      const probabilities = Array.from(parents, () => new Float64Array(2));
      forest.marginalsInto(probabilities, new Uint32Array(801));
      expect(probabilities[0]![1]! / isOne).toBeCloseTo(1, 8);
      const codes = new Uint16Array(801);
      expect(forest.mostProbableInto([null, ...leaves], codes)).toBeCloseTo(zeros, 8);
      // of 400 both values are as probable, but for how the sums are rounded
      expect([...codes]).toEqual([ones === 400 ? codes[0] : 0, ...leaves]);
    });
  });

  test('of equally probable codes the first that is allowed is taken, and nothing where none is', () => {
    const alone = { parent: -1, groupOf: Uint16Array.of(0, 1, 1), within: Float64Array.of(1, 0.5, 0.5) };
    const forest = new CodeForest([
      { ...alone, given: Float64Array.of(0.2, 0.8) },
      { ...alone, given: Float64Array.of(0.2, 0.8) },
    ]);
    const codes = new Uint16Array(2);
    expect(forest.mostProbableInto([null, [1, 0, 1]], codes)).toBeCloseTo(2 * Math.log(0.4), 12);
    expect([...codes]).toEqual([1, 2]);
    expect(forest.mostProbableInto([null, [0, 0, 0]], codes)).toBe(-Infinity);
  });

  test('rates of 0 and 1, parents in a circle and parents that are not there are refused', () => {
    const made = (parents: number[], rate: number) => () =>
      new Forest(Uint32Array.of(0, 1), Int32Array.from(parents), new Float64Array(4).fill(rate));
    expect(made([-1, 0], 0.5)).not.toThrow();
    for (const wrong of [made([-1, 0], 0), made([-1, 0], 1), made([-1, 0], NaN), made([1, 0], 0.5), made([-1, 2], 0.5)])
      expect(wrong).toThrow(RangeError);
  });
});

describe('the forest of Chow and Liu', () => {
  /** Column 1 copies 0 nine times of ten, 2 copies 1, 3 is on its own; 4 leans on 3 in the first rows alone. */
  const rows = (count: number, seed: number, leaning: boolean): BitMatrix => {
    const stream = new RandomStream(seed, 1009);
    const matrix = BitMatrix.create(count, 5);
    for (let row = 0; row < count; row++) {
      const values = [stream.below(2)];
      for (let dim = 1; dim < 3; dim++) values.push(stream.below(10) === 0 ? 1 - values[dim - 1]! : values[dim - 1]!);
      values.push(stream.below(3) === 0 ? 1 : 0);
      values.push(leaning && stream.below(3) > 0 ? values[3]! : stream.below(2));
      values.forEach((value, dim) => {
        matrix.set(row, dim, value === 1);
      });
    }
    return matrix;
  };
  const train = rows(300, 1, true);
  const pairs = new SmoothedPairs(countPairs(train), 1);
  const columns = Uint32Array.of(0, 1, 2, 3, 4);
  const tree = chowLiuForest(pairs, columns);

  function likelihood(forest: Forest, matrix: BitMatrix): number {
    let sum = 0;
    for (let row = 0; row < matrix.rows; row++) sum += forest.logProbability(valuesOf(matrix, row));
    return sum;
  }

  test('is likelier than every other tree of these columns', () => {
    const best = likelihood(tree.forest, train);
    const others = everyTree(5).map((parents) => likelihood(forestOf(pairs, columns, parents), train));
    expect(others.length).toBe(125);
    expect(Math.max(...others)).toBeCloseTo(best, 1);
    expect(tree.information[0]).toBe(0);
    expect([tree.forest.parents[1], tree.forest.parents[2], tree.forest.parents[4]]).toEqual([0, 1, 3]);
    expect(productForest(pairs, columns).forest.parents.every((parent) => parent === -1)).toBe(true);
  });

  test('loses the edges that validation rows speak against, and those alone that tell less than the threshold', () => {
    const valid = rows(4000, 2, false);
    const { parents, threshold } = chooseEdges(tree, pairs, countPairs(valid));
    expect([parents[1], parents[2]]).toEqual([0, 1]);
    expect(threshold).toBe(Math.min(tree.information[1]!, tree.information[2]!));
    parents.forEach((parent, place) => {
      expect(parent).toBe(place > 0 && tree.information[place]! >= threshold ? tree.forest.parents[place] : -1);
    });
    const kept = likelihood(forestOf(pairs, columns, parents), valid);
    const sorted = [...tree.information].slice(1).sort((a, b) => b - a);
    const cuts = [Infinity, ...sorted].map((least) =>
      likelihood(
        forestOf(
          pairs,
          columns,
          tree.forest.parents.map((parent, place) => (tree.information[place]! >= least ? parent : -1)),
        ),
        valid,
      ),
    );
    expect(Math.max(...cuts)).toBeCloseTo(kept, 8);
  });
});

/** The row that a matrix of one row holds, as everyRow numbers them. */
function placesOf({ columns }: Forest, matrix: BitMatrix): number {
  return columns.reduce((sum, column, place) => sum + matrix.get(0, column) * 2 ** place, 0);
}

/** The parents of all labelled trees, by Prüfer's sequences; the root is 0. */
function everyTree(size: number): Int32Array[] {
  return Array.from({ length: size ** (size - 2) }, (_, number) => {
    const sequence = Array.from({ length: size - 2 }, (__, at) => Math.floor(number / size ** at) % size);
    const degree = Array.from({ length: size }, (__, place) => 1 + sequence.filter((one) => one === place).length);
    const edges: [number, number][] = [];
    for (const place of sequence) {
      const leaf = degree.indexOf(1);
      edges.push([leaf, place]);
      degree[leaf]!--;
      degree[place]!--;
    }
    edges.push(degree.flatMap((left, place) => (left === 1 ? [place] : [])) as [number, number]);
    const parents = new Int32Array(size).fill(-1);
    const open = [0];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const [a, b] of edges) {
        const other = a === at ? b : b === at ? a : -1;
        if (other <= 0 || parents[other]! >= 0 || parents[at] === other) continue;
        parents[other] = at;
        open.push(other);
      }
    return parents;
  });
}
