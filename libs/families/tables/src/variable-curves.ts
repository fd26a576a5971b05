import type { TrainedConditional } from '@orchard/logitboost';
import type { TaskCurves } from '@orchard/contracts';
import { readDocument, shownRounds } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { keyOf, tablesNames } from './artefacts.js';
import type { TablesRun } from './tables-run.js';

/** A document of so many points is smaller than most variables are. */
const MOST_POINTS = 200;

const numbers = z.array(z.number());

/** Summed nats of a variable after so many rounds of each of its decisions, before any are chosen and refitted. */
export const variableCurvesSchema = z.strictObject({
  rounds: z.array(z.int().min(0)),
  train: numbers,
  valid: numbers,
  test: numbers.nullable(),
});

export type VariableCurves = z.infer<typeof variableCurvesSchema>;

/** The curves of all decisions of a variable together: one that ended earlier keeps what it has. */
export function sumOfCurves(decisions: readonly Pick<TrainedConditional, 'curves'>[]): VariableCurves {
  const longest = decisions.reduce((most, { curves }) => Math.max(most, curves.train.length), 1);
  const rounds = [...shownRounds(longest, MOST_POINTS)];
  const sum = (split: 'train' | 'valid' | 'test'): number[] => {
    const curves = decisions.map((decision) => decision.curves[split]!);
    return rounds.map((round) => sumAt(curves, round));
  };
  const hasTest = decisions.length > 0 && decisions.every(({ curves }) => curves.test !== null);
  return { rounds, train: sum('train'), valid: sum('valid'), test: hasTest ? sum('test') : null };
}

/**
 * What curves have together after so many rounds; one that ended earlier keeps what it has. A loop, since hundreds of
 * decisions are asked at hundreds of rounds.
 */
export function sumAt(curves: readonly Float64Array[], round: number): number {
  let sum = 0;
  for (let at = 0; at < curves.length; at++) {
    const own = curves[at]!;
    sum += own[Math.min(round, own.length - 1)]!;
  }
  return sum;
}

/**
 * Of a stored variable, mean nats per row.
 *
 * @throws StorageError `missing` where an earlier release stored it; PipelineError `damaged-artefact`
 */
export async function readCurves(store: ObjectStore, run: TablesRun, index: number): Promise<TaskCurves> {
  const { id, datasets } = run;
  const name = tablesNames.curves(id, keyOf(run, index));
  const { rounds, train, valid, test } = await readDocument(store, name, variableCurvesSchema);
  const mean = (curve: readonly number[], rows: number): number[] => curve.map((nats) => nats / rows);
  return {
    rounds,
    train: mean(train, datasets.train.rows),
    valid: mean(valid, datasets.valid.rows),
    test: test && mean(test, datasets.test?.rows ?? 1),
  };
}
