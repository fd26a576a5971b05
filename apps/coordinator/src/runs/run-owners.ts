import { Inject, Injectable } from '@nestjs/common';
import { personOf, type RunSheet, type Submitter } from '@orchard/contracts';
import { RunSheets, type RunLife } from '@orchard/runs';
import { isRefusal } from '@orchard/refusal';
import type { Request } from 'express';
import type { Config } from '../config.js';
import { CoordinatorError } from '../errors.js';
import { notAllowed, notYours } from '../access/refusals.js';
import { suffices, type Caller } from '../access/roles.js';
import { contextOf } from '../http/request-context.js';
import { Port, type Ports } from '../ports.js';
import type { SheetWords } from './wanted.js';

/** Whose a run is, and who else may end it: who submitted it first, and admins. */
@Injectable()
export class RunOwners {
  constructor(
    @Inject(RunSheets) private readonly sheets: RunSheets,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(Port.config) private readonly config: Config,
    @Inject(Port.openRunsOf) private readonly openRunsOf: Ports['openRunsOf'],
  ) {}

  /** What is written down of a run that this request submits. @throws CoordinatorError `forbidden` */
  sheetOf(request: Request, { name, labels = {}, priority = 'normal' }: SheetWords): RunSheet {
    const { caller } = contextOf(request);
    if (priority === 'high' && !suffices(caller.role, 'admin'))
      throw notAllowed(caller, 'submission with the priority high', 'admin');
    return { submitter: submitterOf(caller), name: name ?? null, labels, priority };
  }

  /**
   * Of a run that is there already nothing new is asked. Requests of one moment may each find room for one.
   *
   * @throws CoordinatorError `over-limit`
   */
  async requireRoom(id: string, submitter: Submitter): Promise<void> {
    const most = this.config.limits.ofPerson.openRuns;
    const open = most === Number.MAX_SAFE_INTEGER ? 0 : await this.openRunsOf(personOf(submitter));
    if (open < most || (await this.#isThere(id))) return;
    throw new CoordinatorError('over-limit', {
      got: `a run more of ${JSON.stringify(submitter.name)}, of whom ${String(open)} runs are open`,
      expected: `at most ${String(most)} open runs of a person on this coordinator`,
      where: 'run request',
      remedy: 'Wait until one has ended, cancel one, or ask the administrator (ORCHARD_MAX_OPEN_RUNS_PER_PERSON).',
    });
  }

  async #isThere(id: string): Promise<boolean> {
    return this.life.status(id).then(
      () => true,
      (error: unknown) => {
        if (isRefusal(error, 'unknown-run')) return false;
        throw error;
      },
    );
  }

  /** @throws CoordinatorError `forbidden`; RunError `unknown-run` */
  async requireOwn(id: string, request: Request, what: 'cancel' | 'delete'): Promise<void> {
    const { caller } = contextOf(request);
    if (suffices(caller.role, 'admin')) return;
    const submitter = (await this.sheets.of(id))?.submitter ?? null;
    if (submitter !== null && personOf(submitter) === personOf(submitterOf(caller))) return;
    // a run that does not exist gets another answer
    await this.life.status(id);
    // of runs of a release that kept no owner every submitter could cancel each
    if (what === 'cancel' && (submitter === null || submitter.way === 'unknown')) return;
    throw notYours(caller, what, submitter?.name ?? null);
  }
}

function submitterOf({ name, way, subject }: Caller): Submitter {
  return { name, way, ...(subject !== undefined && { subject }) };
}
