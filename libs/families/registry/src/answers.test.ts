import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTableSplits, type BitMatrix } from '@orchard/dataset';
import { openText } from '@orchard/dataset/conformance/tables';
import { asTabular, moments, scoreFile, type TabularModel } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { createRun, factsOfSplits, type Compute, type ComputationContext, type Run } from '@orchard/pipeline';
import { plainRows, trainedOn, type TestRun } from '@orchard/pipeline/conformance';
import type { ObjectStore } from '@orchard/storage';
import { expect, onTestFinished, test } from 'vitest';
import { computations } from './answer-computations.js';
import { evaluationOf, families, readEvaluation, readSlice, samplingOf, sliceName, slicesOf } from './index.js';

const wanted = [{}];

/** Weather with missing cells. */
function weather(rows: number): string {
  const stream = new RandomStream(5, 1049);
  const line = (): string => {
    const degrees = stream.below(30) - 10;
    const wind = stream.below(9) === 0 ? '' : (20 * stream.uniform()).toFixed(1);
    return [degrees, degrees < 0 ? 'snow' : stream.below(3) === 0 ? '' : 'rain', wind].join();
  };
  return `degrees,falls,wind\n${Array.from({ length: rows }, line).join('\n')}\n`;
}

async function trainedOnWeather(): Promise<TestRun> {
  const raw = await openText(weather(400));
  const { train, valid } = await readTableSplits(
    { train: raw, valid: null, test: null },
    { valid: 0.2, test: 0 },
    1,
    {},
  );
  await raw.close();
  return trainedOn([train, valid!], families.named('chow-liu'), {});
}

/** Does all tasks of a run here, the last of each look first. */
async function answered(store: ObjectStore, run: Run): Promise<void> {
  const family = families.of(run.specification);
  const call: Compute['call'] = (name, input) =>
    Promise.resolve(
      computations[name]!(input, {
        store,
        isCancelled: () => false,
        onProgress: () => undefined,
      } as unknown as ComputationContext),
    ) as Promise<never>;
  for (;;) {
    const { tasks } = await family.missing(store, run, wanted, { withReport: true });
    const next = tasks.at(-1);
    if (next === undefined) return;
    const context = { store, compute: { call } as Compute, isNew: false, withReport: true, sources: () => ({}) };
    await family.handlers[next.task.kind]!(context, run, next.task, {});
  }
}

async function asked(
  { store, run }: TestRun,
  specify: (
    datasets: Awaited<ReturnType<typeof factsOfSplits>>,
    model: { run: string; wanted: string },
  ) => Run['specification'],
): Promise<Run> {
  const datasets = await factsOfSplits(store, run.specification);
  const family = families.of(run.specification);
  const specification = specify(datasets, { run: run.id, wanted: family.wantedName({}) });
  expect(families.of(specification).specification.parse(specification)).toEqual(specification);
  return createRun(store, specification);
}

test.for([
  ['rows of 0 and 1', () => trainedOn([plainRows(300, 1), plainRows(60, 2)], families.named('chow-liu'), {})],
  ['a table', trainedOnWeather],
] as const)('slices of %s are the rows that one machine samples', async ([, make]) => {
  const trained = await make();
  const count = 10_000;
  const run = await asked(trained, (datasets, model) => ({
    ...samplingOf(datasets, { model, count, seed: 3, rules: true }),
    sliceRows: 4100,
  }));
  await answered(trained.store, run);
  const slices = slicesOf(run.specification)!;
  expect(slices.map(({ first, rows }) => [first, rows])).toEqual([
    [0, 4100],
    [4100, 4100],
    [8200, 1800],
  ]);
  const whole: BitMatrix = asTabular(trained.model).sample(count, 3) as BitMatrix;
  for (const slice of slices) {
    const name = sliceName(run.id, slice);
    const { bytes, stride } = readSlice(await trained.store.get(name), name);
    const [from, to] = [slice.first * stride, (slice.first + slice.rows) * stride];
    expect(Buffer.compare(bytes, whole.bytes.subarray(from, to))).toBe(0);
  }
  expect(await families.of(run.specification).damaged(trained.store, run)).toEqual([]);
  const [damaged] = slices.map((slice) => sliceName(run.id, slice));
  const bytes = await trained.store.get(damaged!);
  bytes[60]! ^= 1;
  await trained.store.delete(damaged!);
  await trained.store.put(damaged!, bytes);
  expect(await families.of(run.specification).damaged(trained.store, run)).toEqual([damaged]);
});

test.for(['value', 'unknown'] as const)('figures of parts are those of one machine, missing %s', async (missing) => {
  const trained = await trainedOnWeather();
  const folder = await mkdtemp(join(tmpdir(), 'orchard-answers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const source = join(folder, 'rows.csv');
  await writeFile(source, weather(100_000));
  const run = await asked(trained, (datasets, model) => evaluationOf(datasets, { model, source, missing, seed: 2 }));
  await answered(trained.store, run);
  const plan = await families.of(run.specification).missing(trained.store, run, wanted, { withReport: true });
  expect(plan.stages['score']).toMatchObject({ total: plan.stages['score']!.done });
  expect(plan.stages['score']!.total).toBeGreaterThan(1);
  const raw = await openText(readFileSync(source, 'utf8'));
  const here = await scoreFile(trained.model as TabularModel, raw, { missing, seed: 2, withAnomalies: false });
  await raw.close();
  const { mean, standardError } = moments(here.nats);
  expect(await readEvaluation(trained.store, run.id)).toEqual({
    rows: 100_000,
    logLikelihood: mean,
    standardError,
    densityLogLikelihood: here.densityMean,
    columns: [...here.means!],
    rowsWithUnknown: here.incomplete,
    greatestError: here.greatestError,
    newCells: here.newCells,
    remarks: [],
  });
});
