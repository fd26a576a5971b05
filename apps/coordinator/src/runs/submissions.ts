import { Inject, Injectable } from '@nestjs/common';
import { runIdOf, shownSheet, type BaseSpecification, type RunStatus, type Wanted } from '@orchard/contracts';
import type { RunDatasets } from '@orchard/pipeline';
import type { RunLife } from '@orchard/runs';
import type { Request } from 'express';
import { PersonLimits } from '../access/person-limits.js';
import { Port } from '../ports.js';
import { RunOwners } from './run-owners.js';
import { ShownRuns } from './shown-runs.js';
import type { SheetWords } from './wanted.js';

export interface AskedRun {
  readonly specification: BaseSpecification;
  readonly choice: Wanted;
  /** Of the specification, which its caller has read. */
  readonly datasets: RunDatasets;
  /** What it says for people. */
  readonly said: SheetWords;
}

/** Begins runs for people: whose they are, whether there is room for them, and who learns of their end. */
@Injectable()
export class Submissions {
  constructor(
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(ShownRuns) private readonly statuses: ShownRuns,
    @Inject(RunOwners) private readonly owners: RunOwners,
    @Inject(PersonLimits) private readonly limits: PersonLimits,
  ) {}

  /** @throws CoordinatorError `forbidden`, `over-limit`; RunError */
  async submit(request: Request, { specification, choice, datasets, said }: AskedRun): Promise<RunStatus> {
    const sheet = this.owners.sheetOf(request, said);
    await this.limits.requireRoomForRun(runIdOf(specification), sheet.submitter);
    const { id, created, starts, status: bare } = await this.life.submit(specification, choice, datasets, sheet);
    await this.owners.expectEnd(id, created ? sheet : undefined);
    const begun = { ...bare, ...(starts !== null && { starts }) };
    return created ? { ...begun, ...shownSheet(sheet) } : await this.statuses.named(id, bare);
  }
}
