import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { summarySchema, type NetworkChoice, type RunSpecification, type TrainDocument } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import { PipelineError, artefactNames, networkFileName, readSelections, runLocally } from '@orchard/pipeline';
import { FilesystemStore, StorageError } from '@orchard/storage';
import { InterruptedError, UsageError, messageOf } from './errors.js';
import { listenForInterruption } from './interruption.js';
import { ProgressDisplay } from './output/progress.js';
import type { Terminal } from './output/terminal.js';

/** One network of one run, as it is asked for on the command line. */
export interface NetworkRequest {
  readonly specification: RunSpecification;
  readonly choice: NetworkChoice;
  readonly splits: { readonly train: BitMatrix; readonly valid: BitMatrix; readonly test: BitMatrix | null };
  readonly threads?: number | undefined;
  /** The stored dimension whose importances the report draws. */
  readonly reportDimension?: number | undefined;
  /** What to type to go on after an interruption. */
  readonly again: string;
}

/**
 * A folder with a run's store and, beside it, one network of the run: `network.msgpack`, `summary.json` and `report.html`, each a function
 * of run and choice, and `timings.json`, which is not.
 */
export class RunDirectory {
  readonly path: string;
  readonly store: FilesystemStore;

  private constructor(path: string, store: FilesystemStore) {
    this.path = path;
    this.store = store;
  }

  /** Makes the folder where there is none. @throws UsageError where that cannot be */
  static async create(path: string): Promise<RunDirectory> {
    if (path === '') {
      const remedy = 'Name a folder; . is this one.';
      throw new UsageError({ got: 'an empty name', expected: 'a folder to write to', where: '--out', remedy });
    }
    try {
      return new RunDirectory(path, await FilesystemStore.open(join(path, 'store')));
    } catch (cause) {
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
    try {
      const summary = summarySchema.parse(JSON.parse(await readFile(join(path, 'summary.json'), 'utf8')));
      await stat(join(path, 'store'));
      const store = await FilesystemStore.open(join(path, 'store'));
      return { directory: new RunDirectory(path, store), runId: summary.runId };
    } catch (cause) {
      const remedy = 'Give the --out of an orchard train that has finished.';
      throw new UsageError(
        { got: `${path}, which holds none`, expected: 'the folder of a finished run', where: 'DIR', remedy },
        { cause },
      );
    }
  }

  /**
   * Does what is missing for the network that is asked for, and writes it with its summary and report.
   *
   * @throws InterruptedError after Ctrl-C, when checkpoints are stored
   */
  async produce(request: NetworkRequest, terminal: Terminal): Promise<TrainDocument> {
    const { specification, choice, splits, threads, reportDimension, again } = request;
    const begun = performance.now();
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
      const selections = await readSelections(this.store, run);
      // the drawing libraries take longer to load than most commands to run, and only this needs them
      const { reportOnRun } = await import('@orchard/report');
      const report = reportOnRun({
        runId: run.id,
        specification,
        choice,
        summary,
        selections: selections!,
        splits,
        network: local.model,
        dimension: reportDimension,
      });
      const seconds = { ...local.seconds, total: (performance.now() - begun) / 1000 };
      await this.#write(networkFileName, local.network);
      await this.#write('summary.json', await this.store.get(artefactNames.summary(run.id, choice)));
      await this.#write('report.html', report);
      await this.#write(
        'timings.json',
        `${JSON.stringify({ runId: run.id, choice, threads: threads ?? null, seconds }, null, 2)}\n`,
      );
      return { ...summary, network: { ...summary.network, path: join(this.path, networkFileName) }, seconds };
    } catch (error) {
      if (error instanceof PipelineError && error.code === 'interrupted') {
        throw new InterruptedError(`What is done is kept in ${join(this.path, 'store')}. Go on with: ${again}`);
      }
      throw error;
    } finally {
      interruption.dispose();
    }
  }

  /** Whole or not at all: a reader never meets half a file. */
  async #write(name: string, content: Uint8Array | string): Promise<void> {
    const temporary = join(this.path, `.${name}.${String(process.pid)}`);
    try {
      await writeFile(temporary, content);
      await rename(temporary, join(this.path, name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}
