import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { featureFractionNote, runPageSchema, runStatusSchema, type RunStatus, type Wanted } from '@orchard/contracts';
import { factsOfSplits } from '@orchard/pipeline';
import { RunPins, type RunLife } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import type { Request } from 'express';
import { z } from 'zod';
import type { Config } from '../config.js';
import { CoordinatorError } from '../errors.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { runListQuerySchema, runPathSchema, type RunPath } from './run-queries.js';
import { ShownRuns } from './shown-runs.js';
import { RunOwners } from './run-owners.js';
import { Submissions } from './submissions.js';
import { choiceSchema, parseSubmission, submissionSchema } from './wanted.js';

const path = new ContractPipe(runPathSchema, 'path');
/** What is said of every request about one run. */
const ofRun = { tag: 'runs', path: runPathSchema, problems: [404, 409] } as const;

const repairSchema = z.strictObject({
  dropped: z.array(z.string()).meta({ description: 'the names of the objects that were not what was written' }),
  lost: z.int().meta({
    description: 'tasks of a run that was done whose results are not in the store any more: they are done again',
  }),
  datasets: z.array(z.string()).meta({
    description:
      'the names of damaged data sets that the run has failed by: it goes on when the same rows were uploaded again, which heals them, and it is submitted or resumed',
  }),
});

/** Asking for runs and looking after them. Every answer but a page is the run's status after what was asked for. */
@Controller('v1/runs')
export class RunsController {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(Port.store) private readonly store: ObjectStore,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(ShownRuns) private readonly statuses: ShownRuns,
    @Inject(RunOwners) private readonly owners: RunOwners,
    @Inject(RunPins) private readonly pins: RunPins,
    @Inject(Submissions) private readonly submissions: Submissions,
  ) {}

  @Post()
  @Describe({
    summary:
      'Submit a run; the same specification is the same run. `notices` also says what options that were not given rule out',
    tag: 'runs',
    body: submissionSchema,
    answers: { 202: runStatusSchema },
    problems: [404, 409, 413, 415, 422],
  })
  async submit(@Body() body: unknown, @Req() request: Request): Promise<RunStatus> {
    const { family, splits, words, said } = parseSubmission(body);
    const datasets = await factsOfSplits(this.store, splits);
    const { specification, choice } = family.resolve(words, datasets);
    const { rounds } = specification as { readonly rounds?: unknown };
    if (typeof rounds === 'number') this.#checkRounds(rounds);
    const status = await this.submissions.submit(request, { specification, choice, datasets, said });
    const names = { leaves: 'leaves', allPredictors: 'featureFraction 1' };
    const fraction = featureFractionNote(words, specification, names);
    return fraction === null ? status : { ...status, notices: [...status.notices, fraction] };
  }

  @Get()
  @Describe({
    summary: 'List the runs, by id or the newest first',
    tag: 'runs',
    query: runListQuerySchema,
    answers: { 200: runPageSchema },
    problems: [404],
  })
  async list(
    @Query(new QueryPipe(runListQuerySchema)) query: z.infer<typeof runListQuerySchema>,
  ): Promise<z.infer<typeof runPageSchema>> {
    const { runs, next } = await this.life.list(query);
    const named = await this.statuses.allNamed(runs);
    return { runs: query.cost ? await this.statuses.withCosts(named) : named, next };
  }

  @Get(':id')
  @Describe({
    summary: 'How a run is getting on',
    tag: 'runs',
    path: runPathSchema,
    answers: { 200: runStatusSchema },
    problems: [404],
  })
  get(@Param(path) { id }: RunPath): Promise<RunStatus> {
    return this.statuses.get(id);
  }

  @Post(':id/cancel')
  @Describe({
    ...ofRun,
    summary: "Stop all work on a run within seconds; what is stored stays. Another's run needs the role admin",
    answers: { 202: runStatusSchema },
  })
  async cancel(@Param(path) { id }: RunPath, @Req() request: Request): Promise<RunStatus> {
    await this.owners.requireOwn(id, request, 'cancel');
    await this.life.cancel(id);
    return this.statuses.get(id);
  }

  @Post(':id/resume')
  @Describe({
    ...ofRun,
    problems: [...ofRun.problems, 422],
    summary: 'Continue what a run is missing, and try again what was quarantined',
    answers: { 202: runStatusSchema },
  })
  async resume(@Param(path) { id }: RunPath, @Req() request: Request): Promise<RunStatus> {
    await this.owners.requireRoomToOpen(id, request);
    await this.life.resume(id);
    await this.owners.expectEnd(id);
    return this.statuses.get(id);
  }

  @Post(':id/repair')
  @Describe({
    ...ofRun,
    problems: [...ofRun.problems, 422],
    summary: 'Drop what of a run is damaged and go on: it is computed again, to the same bytes',
    answers: { 202: repairSchema },
  })
  async repair(@Param(path) { id }: RunPath, @Req() request: Request): Promise<z.infer<typeof repairSchema>> {
    await this.owners.requireRoomToOpen(id, request);
    const { dropped, lost, datasets } = await this.life.repair(id);
    return { dropped: [...dropped], lost, datasets: [...datasets] };
  }

  @Post(':id/select')
  @Describe({
    summary: 'Ask for another model of a run, without training anew',
    tag: 'runs',
    path: runPathSchema,
    body: choiceSchema,
    answers: { 202: runStatusSchema },
    problems: [404, 409, 413, 415, 422],
  })
  async select(@Param(path) { id }: RunPath, @Body() choice: unknown, @Req() request: Request): Promise<RunStatus> {
    await this.owners.requireRoomToOpen(id, request);
    await this.life.select(id, choice as Wanted);
    await this.owners.expectEnd(id);
    return this.statuses.get(id);
  }

  @Post(':id/pin')
  @Describe({
    ...ofRun,
    summary: "Keep a run from being deleted, by the retention and by hand. Another's run needs the role admin",
    answers: { 202: runStatusSchema },
  })
  async pin(@Param(path) { id }: RunPath, @Req() request: Request): Promise<RunStatus> {
    await this.owners.requireOwn(id, request, 'pin');
    // a run that is not there, or is being deleted, is not pinned
    await this.statuses.get(id);
    await this.pins.pin(id);
    return this.statuses.get(id);
  }

  @Post(':id/unpin')
  @Describe({
    ...ofRun,
    summary: "Take the pin from a run. Another's run needs the role admin",
    answers: { 202: runStatusSchema },
  })
  async unpin(@Param(path) { id }: RunPath, @Req() request: Request): Promise<RunStatus> {
    await this.owners.requireOwn(id, request, 'unpin');
    await this.pins.unpin(id);
    return this.statuses.get(id);
  }

  @Delete(':id')
  @Describe({
    ...ofRun,
    summary: "Remove a run and all it has stored; the data sets stay. Another's run needs the role admin",
    answers: { 204: null },
  })
  async remove(@Param(path) { id }: RunPath, @Req() request: Request): Promise<void> {
    await this.owners.requireOwn(id, request, 'delete');
    if ((await this.pins.all()).has(id))
      throw new CoordinatorError('pinned', {
        got: `run ${id}, which is pinned`,
        expected: 'a run that is not pinned',
        remedy: `Take its pin first: orchard unpin ${id.slice(0, 12)}.`,
      });
    await this.life.remove(id);
  }

  #checkRounds(rounds: number): void {
    const most = this.config.limits.rounds;
    if (rounds <= most) return;
    throw new CoordinatorError('over-limit', {
      got: `${rounds} rounds`,
      expected: `at most ${most} on this coordinator`,
      where: 'run request, "rounds"',
      remedy: 'Ask for fewer rounds, or raise ORCHARD_MAX_ROUNDS.',
    });
  }
}
