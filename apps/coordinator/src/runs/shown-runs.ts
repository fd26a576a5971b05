import { Inject, Injectable } from '@nestjs/common';
import type { RunStatus } from '@orchard/contracts';
import type { RunLife } from '@orchard/runs';
import { CoordinatorError } from '../errors.js';
import { Port } from '../ports.js';

/** Statuses as the API shows them. */
@Injectable()
export class ShownRuns {
  constructor(@Inject(Port.life) private readonly life: RunLife) {}

  /** @throws RunError `unknown-run` */
  async get(id: string): Promise<RunStatus> {
    return there(await this.life.status(id));
  }

  /** The status now, and whenever it has changed; see {@link RunLife.events}. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<RunStatus, void> {
    let isFirst = true;
    for await (const status of this.life.events(id, signal)) {
      if (isFirst) there(status);
      else if (status.state === 'deleting') return;
      isFirst = false;
      yield status;
    }
  }
}

/** A run that was deleted is gone for every client, though its objects are still being removed. */
function there(status: RunStatus): RunStatus {
  if (status.state !== 'deleting') return status;
  throw new CoordinatorError('not-found', {
    got: `run ${status.id}, which is being removed`,
    expected: 'a run that was not deleted',
    remedy: 'Submit it again when it no longer shows among the runs.',
  });
}
