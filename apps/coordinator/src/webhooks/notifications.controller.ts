import { Controller, Get, Inject, Param } from '@nestjs/common';
import { RunSheets } from '@orchard/runs';
import { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { Describe } from '../openapi/describe.js';
import { runPathSchema, type RunPath } from '../runs/run-queries.js';
import { ShownRuns } from '../runs/shown-runs.js';
import { Webhooks } from './webhooks.js';

const notificationsSchema = z.strictObject({
  to: z.string().nullable().meta({ description: 'the origin of the address; null where the submission named none' }),
  deliveries: z
    .array(
      z.strictObject({
        end: z.int().min(0).meta({ description: 'which end of the run: one that is resumed ends again' }),
        state: z.enum(['pending', 'delivered', 'given-up']),
        next: z.iso.datetime().nullable().meta({ description: 'when it is tried again' }),
        attempts: z.array(
          z.strictObject({
            at: z.iso.datetime(),
            status: z.int().nullable().meta({ description: 'of the answer; null where there was none' }),
            reason: z.string().nullable().meta({ description: 'why it counts as failed; null where it was taken' }),
          }),
        ),
      }),
    )
    .meta({ description: 'the latest end first' }),
});

/** What came of telling an address of the end of a run. */
@Controller('v1/runs')
export class NotificationsController {
  constructor(
    @Inject(Webhooks) private readonly webhooks: Webhooks,
    @Inject(RunSheets) private readonly sheets: RunSheets,
    @Inject(ShownRuns) private readonly statuses: ShownRuns,
  ) {}

  @Get(':id/notifications')
  @Describe({
    summary: 'The attempts to tell the address of the submission of the end of the run',
    tag: 'runs',
    path: runPathSchema,
    answers: { 200: notificationsSchema },
    problems: [404],
  })
  async list(
    @Param(new ContractPipe(runPathSchema, 'path')) { id }: RunPath,
  ): Promise<z.infer<typeof notificationsSchema>> {
    await this.statuses.get(id);
    const notify = (await this.sheets.of(id))?.notify;
    const deliveries = await this.webhooks.of(id);
    return {
      to: notify === undefined ? null : new URL(notify).origin,
      deliveries: deliveries.map(({ end, state, dueAt, attempts }) => ({
        end,
        state,
        next: dueAt === null ? null : dateOf(dueAt),
        attempts: attempts.map(({ at, outcome }) => ({
          at: dateOf(at),
          status: outcome?.status ?? null,
          reason: outcome === null ? 'no outcome yet: it is under way, or its coordinator ended' : outcome.reason,
        })),
      })),
    };
  }
}

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
