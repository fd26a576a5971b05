import { Inject, Injectable } from '@nestjs/common';
import { personOf, type RunSheet } from '@orchard/contracts';
import { RunSheets, type RunLife } from '@orchard/runs';
import type { Request } from 'express';
import { PersonLimits } from '../access/person-limits.js';
import { notAllowed, notYours, type OwnersAct } from '../access/refusals.js';
import { suffices } from '../access/roles.js';
import { submitterOf } from '../access/submitter.js';
import { contextOf } from '../http/request-context.js';
import { Port } from '../ports.js';
import { Webhooks } from '../webhooks/webhooks.js';
import type { SheetWords } from './wanted.js';

/** Whose a run is, and who else may end it: who submitted it first, and admins. */
@Injectable()
export class RunOwners {
  constructor(
    @Inject(RunSheets) private readonly sheets: RunSheets,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
    @Inject(PersonLimits) private readonly limits: PersonLimits,
  ) {}

  /** What is written down of a run that this request submits. @throws CoordinatorError `forbidden` */
  sheetOf(request: Request, { name, labels = {}, priority = 'normal', notify }: SheetWords): RunSheet {
    const { caller } = contextOf(request);
    if (priority === 'high' && !suffices(caller.role, 'admin'))
      throw notAllowed(caller, 'submission with the priority high', 'admin');
    if (notify !== undefined) this.webhooks.requireAllowed(notify);
    const sheet = { submitter: submitterOf(caller), name: name ?? null, labels, priority };
    return notify === undefined ? sheet : { ...sheet, notify };
  }

  /** Called when a run begins or goes on: an address learns of its end where the submission names one. */
  async expectEnd(id: string, known?: RunSheet): Promise<void> {
    if (!this.webhooks.areSent) return;
    const sheet = known ?? (await this.sheets.of(id));
    if (sheet?.notify !== undefined) await this.webhooks.expect(id);
  }

  /**
   * Called before a run goes on: one that had stopped is open again, and counts for who submitted it.
   *
   * @throws CoordinatorError `over-limit`
   */
  async requireRoomToOpen(id: string, request: Request): Promise<void> {
    const submitter = (await this.sheets.of(id))?.submitter ?? submitterOf(contextOf(request).caller);
    await this.limits.requireRoomToOpen(id, submitter);
  }

  /** @throws CoordinatorError `forbidden`; RunError `unknown-run` */
  async requireOwn(id: string, request: Request, what: OwnersAct): Promise<void> {
    const { caller } = contextOf(request);
    if (suffices(caller.role, 'admin')) return;
    const submitter = (await this.sheets.of(id))?.submitter ?? null;
    if (submitter !== null && personOf(submitter) === personOf(submitterOf(caller))) return;
    // a run that does not exist gets another answer
    await this.life.status(id);
    // of runs of a release that kept no owner every submitter could cancel each
    if (what !== 'delete' && (submitter === null || submitter.way === 'unknown')) return;
    throw notYours(caller, what, submitter?.name ?? null);
  }
}
