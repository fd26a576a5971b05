import { join } from 'node:path';
import { z } from 'zod';
import { jsonIn } from '../../output/json-file.js';
import { writeOutput } from '../../output/write-output.js';

/** Beside the model of a comparison: how long its training took, over all calls that it took. */
const recordSchema = z.strictObject({
  runId: z.string(),
  /** The name of what was wanted of the run. */
  wanted: z.string(),
  /** Most that were used, in each of the calls; without repetitions. */
  threads: z.array(z.int().min(1)),
  seconds: z.number().min(0),
  /** Whether all of the training is in {@link seconds}: not where a call was killed, or something was there before. */
  isWholeTime: z.boolean(),
  isDone: z.boolean(),
});

export type TrainingRecord = z.infer<typeof recordSchema>;

const fileName = 'training-time.json';

/** Null where the folder has none, or that of another model. */
export async function readTrainingRecord(
  folder: string,
  { runId, wanted }: Pick<TrainingRecord, 'runId' | 'wanted'>,
): Promise<TrainingRecord | null> {
  const record = await jsonIn(join(folder, fileName), recordSchema);
  return record?.runId === runId && record.wanted === wanted ? record : null;
}

export function writeTrainingRecord(folder: string, record: TrainingRecord): Promise<void> {
  return writeOutput(join(folder, fileName), '--out', `${JSON.stringify(record, null, 2)}\n`);
}
