import { select, selectionMethods, type BoostingOptions, type LeafSearch } from '@orchard/logitboost';
import type { Table } from '@orchard/contracts';
import { codeCount, fieldRows, type BitMatrix } from '@orchard/dataset';
import { loadKernel, TrainingData, type Kernel } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, test } from 'vitest';
import { binary, categorical, ordered, randomVariables, rowsOfCodes, tableOfVariables } from './random-table.suite.js';
import { RULE_LEAVES } from './certain-tree.js';
import { findLeaves } from './find-leaves.js';
import { trainVariable, type VariableTask } from './train-variable.js';
import { decodeDone, decodeVariable, encodeDone, encodeVariable } from './variable-codec.js';
import { VariableWork, type DoneOfVariable, type WorkHooks } from './variable-work.js';

const options: BoostingOptions = {
  leaves: 4,
  rounds: 12,
  shrinkage: 0.2,
  start: 'base-rate',
  minLeafWeight: 0,
  maxLeafValue: Infinity,
  l2: 0.1,
  featureFraction: 0.7,
  patience: 4,
  seed: 3,
};

/** Rows in which every variable leans on the one before it; the second repeats the first. */
function splitOf(table: Table, rows: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1005);
  const codes = Array.from({ length: rows }, () => {
    let share = stream.uniform();
    return table.variables.map((variable, index) => {
      if (index > 1 && stream.below(3) === 0) share = stream.uniform();
      return Math.floor(share * codeCount(variable));
    });
  });
  return rowsOfCodes({ table }, codes);
}

const kinds = {
  'every kind': [
    ordered('a', 6, 'density', 2),
    ordered('b', 6, 'density', 2),
    categorical('c', 5, { holes: 1, others: 2 }),
    binary('d', 1),
    ordered('e', 9, 'mass'),
    ordered('constant', 2, 'density'),
  ],
  '300 labels': [binary('a'), categorical('many', 300, { others: 4 })],
} as const;

describe.each(['every kind', '300 labels'] as const)('a table of %s', (name) => {
  const table = tableOfVariables(kinds[name]);
  let kernels: readonly Kernel[];
  beforeAll(async () => {
    kernels = [await loadKernel('reference'), await loadKernel('wasm')];
  });

  const arranged = (rows: readonly [number, number, number], ordering: readonly number[]): TrainingData => {
    const split = (count: number, seed: number) => fieldRows(splitOf(table, count, seed), table, ordering);
    return TrainingData.arrange(
      { train: split(rows[0], 1), valid: split(rows[1], 2), test: rows[2] === 0 ? null : split(rows[2], 3) },
      { threads: 1, leaves: RULE_LEAVES },
    );
  };
  const natural = table.variables.map((_, index) => index);
  const sizes: readonly (readonly [number, number, number])[] =
    name === '300 labels'
      ? [[400, 90, 60]]
      : [
          [300, 80, 60],
          [1, 1, 1],
          [2, 1, 5],
        ];

  test.each(sizes)('of %i, %i and %i rows trains by the reference to the same trees, bit for bit', (...rows) => {
    for (const ordering of [natural, natural.toReversed()]) {
      const data = arranged(rows, ordering);
      for (const position of natural) {
        const task = { table, ordering, position, options };
        const [reference, wasm] = kernels.map((kernel) =>
          encodeVariable(trainVariable(new VariableWork(kernel, data), task)!),
        );
        const [plain, read] = [decodeVariable(reference!, 'x', 10_000), decodeVariable(wasm!, 'x', 10_000)];
        expect(plain.ensembles).toEqual(read.ensembles);
        // the figures are sums over rows, which the kernels add up in orders of their own
        for (const split of ['train', 'valid', 'test'] as const) expect(plain[split]).toBeCloseTo(read[split]!, 9);
        expect(read.ensembles.length).toBe(codeCount(table.variables[ordering[position]!]!) - 1);
        expect([read.train, read.valid, read.test].every((nats) => Number.isFinite(nats) && nats! <= 0)).toBe(true);
        expect(Buffer.compare(encodeVariable(read), wasm!)).toBe(0);
      }
    }
  });

  test('that looks for its leaves says so from its first tree on', () => {
    const data = arranged(sizes[0]!, natural);
    const shares: number[] = [];
    const trees: number[] = [];
    const task = { table, ordering: natural, position: 1, options };
    const search = { leaves: [2, 4], rounds: 6, shrinkage: 0.3, patience: 3 };
    const work = new VariableWork(kernels[1]!, data);
    const found = findLeaves(work, task, search, (share) => {
      shares.push(share);
      trees.push(work.trees);
    });
    expect(search.leaves).toContain(found);
    expect(shares[0]).toBeLessThan(0.2);
    expect(shares.at(-1)).toBeGreaterThan(0.8);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(trees).toEqual(trees.map((_, at) => at + 1));
  });

  test('does not try more leaves than its trees take', () => {
    const data = arranged(sizes[0]!, natural);
    const task = { table, ordering: natural, position: 1, options };
    const triedWith = (leaves: number[]): VariableWork => {
      const work = new VariableWork(kernels[1]!, data);
      findLeaves(work, task, { leaves, rounds: 6, shrinkage: 0.3, patience: 3 }, () => undefined);
      return work;
    };
    const [more, most] = [triedWith([RULE_LEAVES - 1]), triedWith([RULE_LEAVES])];
    const both = triedWith([RULE_LEAVES - 1, RULE_LEAVES]);
    expect(both.trials).toEqual([...more.trials, ...most.trials]);
    expect(both.trees).toBeLessThan(more.trees + most.trees);
    expect(both.rounds).toBe(more.rounds + most.rounds);
  });

  /** As its task does it: its leaves, then its decisions; null where it was cancelled. */
  const workOn = (work: VariableWork, task: VariableTask, leaves?: LeafSearch): Uint8Array | null => {
    const found = leaves === undefined ? undefined : findLeaves(work, task, leaves, () => undefined);
    if (found === null) return null;
    const own = found === undefined ? task : { ...task, options: { ...task.options, leaves: found } };
    const trained = trainVariable(work, own);
    return trained && encodeVariable({ ...trained, leaves: found });
  };
  const search: LeafSearch = { leaves: [2, 4], rounds: 5, shrinkage: 0.4, patience: 2 };
  const [position, other] = name === '300 labels' ? [0, 1] : [2, 4];

  test.each([
    ['whose leaves are said', undefined, 60],
    ['that looks for its leaves', search, 60],
    ['without test rows', undefined, 0],
  ])(
    'a variable %s ends in the same bytes from any checkpoint, and checkpoints have numbers that rise',
    (_, leaves, testRows) => {
      const [trainRows, validRows] = sizes[0]!;
      const data = arranged([trainRows, validRows, testRows], natural);
      const task = { table, ordering: natural, position, options };
      const checkpoints = new Map<number, Uint8Array>();
      const onDone: WorkHooks['onDone'] = (done, rounds) => {
        expect(rounds).toBeGreaterThan([...checkpoints.keys()].at(-1) ?? 0);
        checkpoints.set(rounds, encodeDone(done()));
      };
      const whole = workOn(new VariableWork(kernels[1]!, data, { onDone }), task, leaves)!;
      // within decisions, and not at their ends alone
      expect(checkpoints.size).toBeGreaterThan(3 * (codeCount(table.variables[position]!) - 1));
      const refits = [...checkpoints.values()].map((bytes) => decodeDone(bytes, 'x').refit);
      // the first column has no predictors
      if (position > 0) expect(refits.some((refit) => refit !== null && refit.curves.train.length > 2)).toBe(true);
      const every = Math.ceil(checkpoints.size / 40);
      for (const [at, checkpoint] of [...checkpoints].filter((__, index) => index % every === 0)) {
        const resumed: number[] = [];
        const again: WorkHooks['onDone'] = (done, rounds) => {
          // a trial that was not run, since one of fewer leaves was the same, is run where that is not known any more
          if (resumed.push(rounds) < 3 && checkpoints.has(rounds))
            expect(encodeDone(done())).toEqual(checkpoints.get(rounds));
        };
        const work = new VariableWork(kernels[1]!, data, { onDone: again }, decodeDone(checkpoint, 'x'));
        expect(work.rounds).toBe(at);
        expect(Buffer.compare(workOn(work, task, leaves)!, whole)).toBe(0);
        expect(resumed.every((rounds) => rounds > at)).toBe(true);
      }
    },
  );

  test('a variable that is stopped again and again, within a few rounds, ends in the same bytes', () => {
    const data = arranged(sizes[0]!, natural);
    const task = { table, ordering: natural, position: other, options };
    const whole = workOn(new VariableWork(kernels[1]!, data), task, search)!;
    let held: DoneOfVariable | undefined;
    const patience = name === '300 labels' ? 400 : 7;
    let stops = 0;
    for (; ; stops++) {
      let asked = 0;
      const work = new VariableWork(kernels[1]!, data, { isCancelled: () => ++asked > patience }, held);
      const bytes = workOn(work, task, search);
      if (bytes === null) {
        expect(work.rounds).toBeGreaterThan(
          held === undefined ? 0 : new VariableWork(kernels[1]!, data, {}, held).rounds,
        );
        held = decodeDone(encodeDone(work.done), 'x');
        continue;
      }
      expect(Buffer.compare(bytes, whole)).toBe(0);
      break;
    }
    expect(stops).toBeGreaterThan(4);
  });

  test('by a selection, validation rows choose the rounds of its decisions together', () => {
    const data = arranged(sizes[0]!, natural);
    const task = { table, ordering: natural, position, options };
    const rounds = Object.fromEntries(
      selectionMethods.map((method) => {
        const work = new VariableWork(kernels[1]!, data);
        const { valid } = trainVariable(work, { ...task, select: method })!;
        const curves = work.decisions.map(({ curves: { train, valid: own } }) => ({ train, valid: own! }));
        const chosen = [...select(method, curves).rounds];
        expect(valid).toBeCloseTo(
          curves.reduce((sum, curve, index) => sum + curve.valid[chosen[index]!]!, 0),
          9,
        );
        // beside the chosen trees one may make a rule certain
        work.finished.forEach(({ ensemble }, index) => {
          expect([0, 1]).toContain(ensemble.leafCounts.length - chosen[index]!);
        });
        return [method, chosen];
      }),
    );
    const lengths = new VariableWork(kernels[1]!, data);
    trainVariable(lengths, task);
    const longest = Math.max(...rounds['common']!);
    rounds['common']!.forEach((own, index) => {
      expect(own).toBe(Math.min(longest, lengths.decisions[index]!.curves.train.length - 1));
    });
    if (longest > 0) expect(rounds['individual']).not.toEqual(rounds['common']);
  });

  test('damaged artefacts and checkpoints are refused with the remedy', () => {
    const data = arranged(sizes[0]!, natural);
    const task = { table, ordering: natural, position: 1, options };
    const work = new VariableWork(kernels[1]!, data);
    const trained = trainVariable(work, task)!;
    const checkpoint = encodeDone(work.done);
    const bytes = encodeVariable(trained);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 50)) {
      const flipped = Uint8Array.from(bytes);
      flipped[at]! ^= 1;
      expect(() => decodeVariable(flipped, 'runs/x', 10_000)).toThrow(/runs\/x.*computed anew/s);
    }
    expect(() => decodeVariable(bytes, 'runs/x', 0)).toThrow(/trees that contradict/);
    for (const cut of [0, 7, 39, 41, checkpoint.length - 1])
      expect(() => decodeDone(checkpoint.subarray(0, cut), 'runs/x')).toThrow(/runs\/x/);
  });
});

const configurations: readonly Partial<BoostingOptions>[] = [
  { shrinkage: 1, leaves: 2 },
  { shrinkage: 1, leaves: 16, minLeafWeight: 0.1, maxLeafValue: 2 },
  { featureFraction: 0.2, patience: 0, rounds: 6 },
  { l2: 5, start: 'half', featureFraction: 1 },
  { l2: 0, leaves: 3, patience: 1, seed: 99 },
  { rowsPerTree: 50 },
];

test.each(configurations)('random tables train by the reference to the same trees with %j', async (own) => {
  const kernels = [await loadKernel('reference'), await loadKernel('wasm')];
  const set: BoostingOptions = { ...options, ...own };
  for (const seed of [1, 2, 3]) {
    const table = tableOfVariables(randomVariables(seed, 5));
    const ordering = table.variables.map((_, index) => (index * 3 + seed) % 5);
    const split = (count: number, at: number) => fieldRows(splitOf(table, count, 10 * seed + at), table, ordering);
    const data = TrainingData.arrange(
      { train: split(120, 1), valid: split(40, 2), test: split(30, 3) },
      { threads: 1, leaves: RULE_LEAVES, rowsPerTree: set.rowsPerTree },
    );
    ordering.forEach((index, position) => {
      const [plain, read] = kernels.map((kernel) =>
        trainVariable(new VariableWork(kernel, data), { table, ordering, position, options: set })!,
      );
      expect(plain!.ensembles).toEqual(read!.ensembles);
      expect(read!.ensembles).toHaveLength(codeCount(table.variables[index]!) - 1);
      for (const { leafCounts } of read!.ensembles) {
        const [boosted, rules] = [leafCounts.subarray(0, set.rounds), leafCounts.subarray(set.rounds)];
        expect(boosted.every((leaves, tree) => leaves <= set.leaves || tree === leafCounts.length - 1)).toBe(true);
        expect(rules.length).toBeLessThanOrEqual(1);
      }
      for (const side of ['train', 'valid', 'test'] as const) expect(plain![side]).toBeCloseTo(read![side]!, 9);
    });
  }
});
