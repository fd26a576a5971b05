import { existsSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  summarySchema,
  type DatasetFacts,
  type NetworkChoice,
  type RunSpecification,
  type RunWarning,
  type TrainDocument,
} from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import {
  PipelineError,
  artefactNames,
  dataWarnings,
  judgeRun,
  networkFileName,
  readSelections,
  registerDataset,
  runLocally,
} from '@orchard/pipeline';
import { FilesystemStore, StorageError } from '@orchard/storage';
import { DiskError, writeFailure } from './disk-error.js';
import { InterruptedError, UsageError, messageOf } from './errors.js';
import { listenForInterruption } from './interruption.js';
import { ProgressDisplay } from './output/progress.js';
import type { Terminal } from './output/terminal.js';
import { noLabels, reportLabelsSchema, type ReportLabels } from './report-labels.js';
import { writeOutput } from './write-output.js';

/** One network of one run, as it is asked for on the command line. */
export interface NetworkRequest {
  readonly specification: RunSpecification;
  readonly choice: NetworkChoice;
  readonly splits: { readonly train: BitMatrix; readonly valid: BitMatrix; readonly test: BitMatrix | null };
  readonly threads?: number | undefined;
  /** The stored dimension whose importances the report draws. */
  readonly reportDimension?: number | undefined;
  /** Of the report. @default none */
  readonly labels?: ReportLabels | undefined;
  /** What to type to go on after an interruption. */
  readonly again: string;
}

/**
 * A folder with a run's store and, beside it, one network of the run: `network.msgpack`, `summary.json` and `report.html`, each a function
 * of run and choice, and `timings.json`, which is not. `labels.json` holds what the report says besides: its title, its data files.
 */
export class RunDirectory {
  readonly path: string;
  readonly store: FilesystemStore;

  private constructor(path: string, store: FilesystemStore) {
    this.path = path;
    this.store = store;
  }

  /** Makes the folder where there is none. @throws UsageError where that cannot be; DiskError where the disk does not take it */
  static async create(path: string): Promise<RunDirectory> {
    if (path === '') {
      const remedy = 'Name a folder; . is this one.';
      throw new UsageError({ got: 'an empty name', expected: 'a folder to write to', where: '--out', remedy });
    }
    try {
      return new RunDirectory(path, await FilesystemStore.open(join(path, 'store')));
    } catch (cause) {
      const isFile = (await stat(path).catch(() => null))?.isDirectory() === false;
      const failure = writeFailure(path, '--out', cause);
      if (failure instanceof DiskError && !isFile) throw failure;
      throw new UsageError(
        {
          got: `${path} (${cause instanceof StorageError ? cause.got : messageOf(cause)})`,
          expected: 'a folder that can be made or written to',
          where: '--out',
          remedy: 'Name another folder.',
        },
        { cause },
      );
    }
  }

  /** The folder of a finished run and the run's id. @throws UsageError where it holds none */
  static async open(path: string): Promise<{ readonly directory: RunDirectory; readonly runId: string }> {
    const [summaryFile, storeFolder] = [join(path, 'summary.json'), join(path, 'store')];
    const refuse = (got: string, remedy: string, cause?: unknown): never => {
      throw new UsageError({ got, expected: 'the folder of a finished run', where: 'DIR', remedy }, { cause });
    };
    const remedy = 'Give the --out of an orchard train that has finished.';
    if (!existsSync(path)) return refuse(`${path}, which is not there`, remedy);
    if (!statSync(path).isDirectory()) return refuse(`${path}, which is a file`, remedy);
    if (!existsSync(storeFolder)) {
      return existsSync(summaryFile)
        ? refuse(
            `${path}, a folder with a network and no store to make another one of`,
            'Where it was fetched, orchard fetch --select gets another network of the run.',
          )
        : refuse(`${path}, a folder without a run`, remedy);
    }
    if (!existsSync(summaryFile)) {
      const got = `${path}, the folder of a run whose training has not finished`;
      return refuse(got, 'Give its orchard train command again: it goes on from where it stopped.');
    }
    try {
      const summary = summarySchema.parse(JSON.parse(await readFile(summaryFile, 'utf8')));
      const store = await FilesystemStore.open(storeFolder);
      return { directory: new RunDirectory(path, store), runId: summary.runId };
    } catch (cause) {
      const got = `${path}, whose summary.json or store cannot be read (${messageOf(cause).replace(/\s+/g, ' ').slice(0, 120)})`;
      return refuse(got, 'Give its orchard train command again: it writes them anew.', cause);
    }
  }

  /** What the report here was called; none where that is not known. */
  async labels(): Promise<ReportLabels> {
    try {
      return reportLabelsSchema.parse(JSON.parse(await readFile(join(this.path, 'labels.json'), 'utf8')));
    } catch {
      return noLabels;
    }
  }

  /** Stores a split, so that the run can be gone on with and selected anew. @throws DiskError where the disk does not take it */
  async register(split: BitMatrix): Promise<DatasetFacts> {
    try {
      return await registerDataset(this.store, split);
    } catch (error) {
      throw this.#storeFailure(error) ?? error;
    }
  }

  /**
   * Does what is missing for the network that is asked for, and writes it with its summary and report.
   *
   * @throws InterruptedError after Ctrl-C, when checkpoints are stored
   */
  async produce(request: NetworkRequest, terminal: Terminal): Promise<TrainDocument> {
    const { specification, choice, splits, threads, reportDimension, labels = noLabels, again } = request;
    const begun = performance.now();
    const warn = (warning: RunWarning): void => terminal.note(`orchard: warning: ${warning.message}`);
    // what the rows say is said before hours are spent on them
    const early = dataWarnings(splits.train, splits.valid.rows);
    early.forEach(warn);
    const display = new ProgressDisplay(terminal);
    const interruption = listenForInterruption(() =>
      terminal.note('orchard: stopping; what is done is being kept (again to stop at once)'),
    );
    try {
      const local = await runLocally({
        store: this.store,
        specification,
        choice,
        threads,
        signal: interruption.signal,
        onProgress: (progress) => display.show(progress),
        onCheckpointFailure: (error) => terminal.note(`orchard: a checkpoint could not be stored: ${messageOf(error)}`),
      });
      const { run, summary } = local;
      (summary.warnings ?? []).filter(({ code }) => !early.some((said) => said.code === code)).forEach(warn);
      const selections = (await readSelections(this.store, run))!;
      const { rounds } = selections[choice.selection];
      const judged = await judgeRun(this.store, run, choice, rounds, splits, local.model);
      // the drawing libraries take longer to load than most commands to run, and only this needs them
      const { reportOnRun } = await import('@orchard/report');
      const report = reportOnRun({
        runId: run.id,
        specification,
        choice,
        summary,
        selections,
        splits,
        network: local.model,
        judged,
        dimension: reportDimension,
        title: labels.title ?? undefined,
        sources: labels.sources,
      });
      const seconds = { ...local.seconds, total: (performance.now() - begun) / 1000 };
      const files: readonly (readonly [name: string, content: Uint8Array | string])[] = [
        [networkFileName, local.network],
        ['summary.json', await this.store.get(artefactNames.summary(run.id, choice))],
        ['report.html', report],
        ['labels.json', `${JSON.stringify(labels, null, 2)}\n`],
        ['timings.json', `${JSON.stringify({ runId: run.id, choice, threads: threads ?? null, seconds }, null, 2)}\n`],
      ];
      for (const [name, content] of files) await writeOutput(join(this.path, name), '--out', content);
      return { ...summary, network: { ...summary.network, path: join(this.path, networkFileName) }, seconds };
    } catch (error) {
      if (error instanceof PipelineError && error.code === 'interrupted') {
        throw new InterruptedError(`What is done is kept in ${join(this.path, 'store')}. Go on with: ${again}`);
      }
      throw this.#storeFailure(error) ?? error;
    } finally {
      interruption.dispose();
    }
  }

  /** The disk under the store, full or not to be written to, by the folder's name; null for all else. */
  #storeFailure(error: unknown): DiskError | null {
    for (let at = error; at instanceof Error; at = at.cause) {
      if (!(at instanceof StorageError) || (at.code !== 'full' && at.code !== 'denied')) continue;
      const failure = writeFailure(join(this.path, 'store'), '--out', at);
      return failure instanceof DiskError ? failure : null;
    }
    return null;
  }
}
