import { Inject, Injectable } from '@nestjs/common';
import { datasetFacts } from '@orchard/pipeline';
import type { RunLife, RunStatus } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import { CoordinatorError } from '../errors.js';
import { Port } from '../ports.js';
import { runDocument, type RunDocument, type SplitRows } from './run-documents.js';

/** Statuses as the API shows them. */
@Injectable()
export class RunStatuses {
  constructor(
    @Inject(Port.store) private readonly store: ObjectStore,
    @Inject(Port.life) private readonly life: RunLife,
  ) {}

  /** @throws RunError `unknown-run` */
  async get(id: string): Promise<RunDocument> {
    const status = there(await this.life.status(id));
    return runDocument(status, await this.#rowsOf(status));
  }

  /** The status now, and whenever it has changed; see {@link RunLife.events}. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<RunDocument, void> {
    let rows: SplitRows | null = null;
    for await (const status of this.life.events(id, signal)) {
      if (rows === null) there(status);
      else if (status.state === 'deleting') return;
      rows ??= await this.#rowsOf(status);
      yield runDocument(status, rows);
    }
  }

  async #rowsOf({ specification: { train, valid, test } }: RunStatus): Promise<SplitRows> {
    const [training, validation, testing] = await Promise.all([
      datasetFacts(this.store, train),
      datasetFacts(this.store, valid),
      test === null ? null : datasetFacts(this.store, test),
    ]);
    return { train: training.rows, valid: validation.rows, test: testing?.rows ?? null };
  }
}

/** A run that was deleted is gone for whoever asks, though its objects are still being removed. */
function there(status: RunStatus): RunStatus {
  if (status.state !== 'deleting') return status;
  throw new CoordinatorError('not-found', {
    got: `run ${status.id}, which is being removed`,
    expected: 'a run that was not deleted',
    remedy: 'Submit it again when it no longer shows among the runs.',
  });
}
