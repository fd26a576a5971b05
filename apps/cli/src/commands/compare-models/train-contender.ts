import { join } from 'node:path';
import { modelSummarySchema } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { hashOf, type DensityModel } from '@orchard/model';
import { artefactNames, networkFileName, readDocument, type LocalRun, type ResolvedRun } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { listAll, readWholeFile } from '@orchard/storage';
import type { Terminal } from '../../output/terminal.js';
import { RunDirectory, type ComingRows, type ModelRequest } from '../../run-folder/run-directory.js';
import type { Contender } from './contenders.js';
import { readTrainingRecord, writeTrainingRecord, type TrainingRecord } from './training-record.js';

/** A model that is there, and what it cost. */
export interface TrainedContender {
  readonly model: DensityModel;
  readonly runId: string;
  readonly bytes: number;
  /** Of training by the wall, without the report, over all calls that it took. */
  readonly seconds: number;
  readonly isWholeTime: boolean;
  /** Most threads, in each of those calls. */
  readonly threads: readonly number[];
}

export interface TrainingRequest extends ComingRows, Pick<ModelRequest, 'labels' | 'withReport' | 'shownWarnings'> {
  readonly contender: Contender;
  readonly resolved: ResolvedRun;
  /** Its own. */
  readonly folder: string;
  readonly threads: number;
}

/**
 * Trains a model alone, into a folder as `orchard train` writes it; one that is there is taken as it is. How long it
 * took is kept beside it, so that a comparison that is continued shows the whole time.
 *
 * @throws Refusal `interrupted` after Ctrl-C, when checkpoints are stored
 */
export async function trainContender(request: TrainingRequest, terminal: Terminal): Promise<TrainedContender> {
  const { contender, resolved, folder, threads, splits } = request;
  const { family } = contender;
  const { runId, specification, choice } = resolved;
  const name = { runId, wanted: family.wantedName(choice) };
  const directory = await RunDirectory.create(folder);
  const found = await readTrainingRecord(folder, name);
  if (found?.isDone === true) {
    const there = await modelIn(directory, found);
    if (there !== null) {
      terminal.note('orchard: it was trained before, and is there');
      return there;
    }
  }
  const before = found ?? { ...name, threads: [], seconds: 0, isWholeTime: !(await isBegun(directory, runId)) };
  const record = (seconds: number, rest: Pick<TrainingRecord, 'isWholeTime' | 'isDone'>): Promise<void> =>
    writeTrainingRecord(folder, {
      ...name,
      threads: [...new Set([...before.threads, threads])],
      seconds: before.seconds + seconds,
      ...rest,
    });
  // what is killed has written this
  await record(0, { isWholeTime: false, isDone: false });
  const { labels, withReport, shownWarnings } = request;
  const asked = { family, specification, choice, splits, threads, labels, withReport, shownWarnings };
  let local: LocalRun;
  let begun = performance.now();
  try {
    await directory.keepRows(request);
    begun = performance.now();
    local = (await directory.produce(asked, terminal)).local;
  } catch (error) {
    if (isRefusal(error, 'interrupted'))
      await record((performance.now() - begun) / 1000, { isWholeTime: before.isWholeTime, isDone: false });
    throw error;
  }
  await record(local.seconds.total, { isWholeTime: before.isWholeTime, isDone: true });
  return {
    model: local.model,
    runId,
    bytes: local.network.length,
    seconds: before.seconds + local.seconds.total,
    isWholeTime: before.isWholeTime,
    threads: [...new Set([...before.threads, threads])],
  };
}

/** The model that a finished training left; null where its file is not as it was: it is written anew then. */
async function modelIn({ path, store }: RunDirectory, record: TrainingRecord): Promise<TrainedContender | null> {
  const { runId, wanted, seconds, isWholeTime, threads } = record;
  try {
    const { network } = await readDocument(store, artefactNames.summary(runId, wanted), modelSummarySchema);
    const bytes = await readWholeFile(join(path, networkFileName));
    if (hashOf(bytes).digest('hex') !== network.sha256) return null;
    return { model: families.openModel(bytes), runId, bytes: bytes.length, seconds, isWholeTime, threads };
  } catch {
    return null;
  }
}

/** Whether something of the run is stored, by `orchard train` or a call that left no record. */
async function isBegun({ store }: RunDirectory, runId: string): Promise<boolean> {
  for await (const { name } of listAll(store, artefactNames.run(runId))) if (name !== '') return true;
  return false;
}
