import { existsSync, statSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { RowScorer } from '@orchard/analysis';
import {
  membersSummarySchema,
  modelSummarySchema,
  unknownTimeLeft,
  type BaseSpecification,
  type RunProgress,
  type RunWarning,
  type Seconds,
  type Wanted,
} from '@orchard/contracts';
import { asTabular } from '@orchard/model';
import {
  artefactNames,
  dataWarnings,
  factsOfRows,
  networkFileName,
  runLocally,
  storeDataset,
  type Family,
  type LocalRun,
  type RunDatasets,
  type Splits,
  type TaskKind,
} from '@orchard/pipeline';
import { isRefusal, type Refusal } from '@orchard/refusal';
import { FilesystemStore } from '@orchard/storage';
import type { TrainedModel } from './trained-document.js';
import { reportWithOptions } from './report-with-options.js';
import { writeFailure } from '../output/disk-error.js';
import { UsageError, interrupted, messageOf } from '../output/errors.js';
import { listenForInterruption } from '../output/interruption.js';
import { ProgressDisplay } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { jsonIn } from '../output/json-file.js';
import { refuseOtherRun, type ComingRun } from './other-run.js';
import { noLabels, reportLabelsSchema, type ReportLabels } from './report-labels.js';
import { writeOutput } from '../output/write-output.js';

/** A folder that a run has finished in. */
interface OpenRun {
  readonly directory: RunDirectory;
  readonly runId: string;
  readonly members: number | undefined;
}

/** The rows of a run, and what is known of them: to hash gigabytes takes seconds, and is done once. */
export interface ComingRows {
  readonly splits: Splits;
  readonly datasets: RunDatasets;
}

/** One model of one run, as it is asked for on the command line. */
export interface ModelRequest {
  readonly family: Family;
  readonly specification: BaseSpecification;
  readonly choice: Wanted;
  readonly splits: Splits;
  readonly threads?: number | undefined;
  /** The stored dimension whose importances the report draws. */
  readonly reportDimension?: number | undefined;
  /** Of the report. @default none */
  readonly labels?: ReportLabels | undefined;
  /** @default true */
  readonly withReport?: boolean | undefined;
  /** Stops it as Ctrl-C does. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Warnings that were shown, of one run or of several on the same rows: none is shown twice. */
  readonly shownWarnings?: Set<string> | undefined;
}

/** What was asked for, and how it came about. */
export interface ProducedModel extends TrainedModel {
  readonly local: LocalRun;
}

/** A model that is asked for by the words of its family, in a folder. */
export interface WordsRequest extends Omit<ModelRequest, 'specification' | 'choice'> {
  readonly words: Readonly<Record<string, unknown>>;
  /** Whether another run in the folder is replaced. */
  readonly mayReplace: boolean;
}

/**
 * A folder with a run's store and, beside it, one network of the run: `network.msgpack`, `summary.json` and
 * `report.html`, each a function of run and choice, and `timings.json`, which is not. `labels.json` holds what the
 * report says besides: its title, its data files.
 */
export class RunDirectory {
  private constructor(
    readonly path: string,
    readonly store: FilesystemStore,
  ) {}

  /**
   * Makes the folder where there is none.
   *
   * @throws UsageError where that cannot be; Refusal `disk` where the disk does not take it
   */
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
      if (isRefusal(failure, 'disk') && !isFile) throw failure;
      throw new UsageError(
        {
          got: `${path} (${isRefusal(cause) ? cause.got : messageOf(cause)})`,
          expected: 'a folder that can be made or written to',
          where: '--out',
          remedy: 'Name another folder.',
        },
        { cause },
      );
    }
  }

  /**
   * The folder of a run that is about to be trained, with its rows.
   *
   * @throws UsageError where another run is there, without `force`: nothing was written then; Refusal `disk`
   */
  static async begin(
    path: string,
    coming: ComingRun & ComingRows,
    how: { readonly force: boolean; readonly terminal: Terminal },
  ): Promise<RunDirectory> {
    await refuseOtherRun(path, coming, how);
    const directory = await RunDirectory.create(path);
    await directory.keepRows(coming);
    return directory;
  }

  /** Trains in a folder what is asked for there. @throws as {@link begin} and {@link produce} */
  static async train(path: string, request: WordsRequest, terminal: Terminal): Promise<ProducedModel> {
    const { family, words, splits, mayReplace, ...rest } = request;
    const datasets = factsOfRows(splits);
    const { runId, specification, choice } = family.resolve(words, datasets);
    const coming = { runId, specification, datasets, splits };
    const directory = await RunDirectory.begin(path, coming, { force: mayReplace, terminal });
    return directory.produce({ ...rest, family, specification, choice, splits }, terminal);
  }

  /**
   * The folder of a finished run, the run's id, and of how many members its network is, where it is a mixture.
   *
   * @throws UsageError where it holds none
   */
  static async open(path: string): Promise<OpenRun> {
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
      const summary = modelSummarySchema.parse(JSON.parse(await readFile(summaryFile, 'utf8')));
      const store = await FilesystemStore.open(storeFolder);
      const members = membersSummarySchema.safeParse(summary).data?.network.members;
      return { directory: new RunDirectory(path, store), runId: summary.runId, members };
    } catch (cause) {
      const got = `${path}, whose summary.json or store cannot be read (${messageOf(cause).replace(/\s+/g, ' ').slice(0, 120)})`;
      return refuse(got, 'Give its orchard train command again: it writes them anew.', cause);
    }
  }

  /** What the report here was called; none where that is not known. */
  async labels(): Promise<ReportLabels> {
    return (await jsonIn(join(this.path, 'labels.json'), reportLabelsSchema)) ?? noLabels;
  }

  /**
   * Stores rows, so that their run can be continued and selected anew.
   *
   * @throws Refusal `disk` where the disk does not take it
   */
  async keepRows({ splits, datasets }: ComingRows): Promise<void> {
    try {
      for (const split of ['train', 'valid', 'test'] as const) {
        const [facts, rows] = [datasets[split], splits[split]];
        if (facts !== null && rows !== null) await storeDataset(this.store, facts, new Uint8Array(rows.buffer));
      }
    } catch (error) {
      throw this.#storeFailure(error) ?? error;
    }
  }

  /**
   * Does what is missing for the network that is asked for, and writes it with its summary and report.
   *
   * @throws Refusal `interrupted` after Ctrl-C, when checkpoints are stored
   */
  async produce(request: ModelRequest, terminal: Terminal): Promise<ProducedModel> {
    const { family, specification, choice, splits, threads, labels = noLabels } = request;
    const { withReport = true, shownWarnings: shown = new Set<string>() } = request;
    const begun = performance.now();
    const warn = ({ message }: RunWarning): void => {
      if (!shown.has(message)) terminal.note(`orchard: warning: ${message}`);
      shown.add(message);
    };
    // what the rows say is said before hours are spent on them
    const early = splits.train.columns.table === undefined ? dataWarnings(splits.train, splits.valid.rows) : [];
    early.forEach(warn);
    const display = new ProgressDisplay(terminal);
    const interruption = listenForInterruption(() =>
      terminal.note('orchard: stopping; what is done is being kept (again to stop at once)'),
    );
    try {
      const local = await runLocally({
        store: this.store,
        family,
        specification,
        choice,
        threads,
        signal: AbortSignal.any([interruption.signal, ...(request.signal === undefined ? [] : [request.signal])]),
        onProgress: (progress) => {
          display.show(progress);
          request.onProgress?.(progress);
        },
        onNotice: (notice) => terminal.note(`orchard: ${notice}`),
        onCheckpointFailure: (error) => terminal.note(`orchard: a checkpoint could not be stored: ${messageOf(error)}`),
      });
      const { run, summary } = local;
      // all is stored: from here on a signal ends the process by itself, also in the middle of a long computation
      interruption.dispose();
      const late = (summary['warnings'] ?? []) as readonly RunWarning[];
      late.filter(({ code }) => !early.some((said) => said.code === code)).forEach(warn);
      const onReport = (): void => display.show(reporting(run.id));
      if (withReport) onReport();
      const report = withReport ? await this.#report(local, request, onReport) : null;
      const seconds = secondsOf(local, family, choice, (performance.now() - begun) / 1000);
      const files: readonly (readonly [name: string, content: Uint8Array | string])[] = [
        [networkFileName, local.network],
        ['summary.json', await this.store.get(artefactNames.summary(run.id, family.wantedName(choice)))],
        ...(report === null ? [] : [['report.html', reportWithOptions(report, labels)] as const]),
        ['labels.json', `${JSON.stringify(labels, null, 2)}\n`],
        ['timings.json', `${JSON.stringify({ runId: run.id, choice, threads: threads ?? null, seconds }, null, 2)}\n`],
      ];
      // the page of another model must not stand beside this one
      if (report === null) await rm(join(this.path, 'report.html'), { force: true });
      for (const [name, content] of files) await writeOutput(join(this.path, name), '--out', content);
      const network = { ...summary.network, path: join(this.path, networkFileName) };
      const { likelihoods } = local.model;
      return { family: family.name, summary: { ...summary, network }, likelihoods, seconds, local };
    } catch (error) {
      if (isRefusal(error, 'interrupted')) {
        throw interrupted(`What is done is kept in ${join(this.path, 'store')}. Continue by: the same command`);
      }
      throw this.#storeFailure(error) ?? error;
    } finally {
      display.stop();
      interruption.dispose();
    }
  }

  /** @param onProgress called now and then while many rows are asked about */
  async #report(
    { run, model, summary, network: bytes }: LocalRun,
    request: ModelRequest,
    onProgress: () => void,
  ): Promise<string> {
    const { family, choice, splits, reportDimension: dimension, labels = noLabels } = request;
    const { threads = availableParallelism() } = request;
    const { title, sources } = labels;
    const held = { model, summary, splits };
    const scorer = new RowScorer(asTabular(model), { bytes, threads, onProgress });
    try {
      const { cells } = scorer;
      return await family.report(this.store, run, choice, {
        title: title ?? undefined,
        sources,
        dimension,
        held,
        cells,
      });
    } finally {
      await scorer.close();
    }
  }

  /** The disk under the store, full or not to be written to, by the folder's name; null for all else. */
  #storeFailure(error: unknown): Refusal | null {
    for (let at = error; at instanceof Error; at = at.cause) {
      if (!isRefusal(at, 'full', 'denied')) continue;
      const failure = writeFailure(join(this.path, 'store'), '--out', at);
      return isRefusal(failure, 'disk') ? failure : null;
    }
    return null;
  }
}

/** What comes after all that a run stores: nothing of it is counted. */
function reporting(runId: string): RunProgress {
  const tasks = { done: 0, total: 0, called: 'tasks' };
  const unknown = { trees: 0, treesPerSecond: 0, ...unknownTimeLeft, logLikelihood: null };
  return { runId, stage: 'report', state: 'writing the report', tasks, ...unknown };
}

/** Seconds by the wall: `refit` is null where none was asked for, and has those of training again. */
function secondsOf({ seconds: { stages } }: LocalRun, { kinds }: Family, choice: Wanted, total: number): Seconds {
  const secondsIn = (own: readonly TaskKind[]): number => own.reduce((sum, { kind }) => sum + (stages[kind] ?? 0), 0);
  const { refit = false } = choice;
  return {
    total,
    train: secondsIn(kinds.filter(({ pool, isRefit = false }) => pool === 'worker' && !isRefit)),
    refit: refit === false ? null : secondsIn(kinds.filter(({ isRefit = false }) => isRefit)),
  };
}
