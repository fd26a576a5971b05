import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import {
  personOf,
  readingIdSchema,
  readingRequestSchema,
  readingSchema,
  type Reading,
  type ReadingRequest,
} from '@orchard/contracts';
import { requireAllowed } from '@orchard/runs';
import type { Request } from 'express';
import { z } from 'zod';
import { PersonLimits } from '../access/person-limits.js';
import { submitterOf } from '../access/submitter.js';
import type { Config } from '../config.js';
import { CoordinatorError } from '../errors.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { contextOf } from '../http/request-context.js';
import { Describe } from '../openapi/describe.js';
import { Port, type Ports } from '../ports.js';

const pathSchema = z.strictObject({
  id: readingIdSchema.meta({ description: 'the id of the reading, which POST /v1/readings answers with' }),
});

/** Rows that workers read where they lie: none of them passes here. */
@Controller('v1/readings')
export class ReadingsController {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(Port.readings) private readonly readings: Ports['readings'],
    @Inject(PersonLimits) private readonly limits: PersonLimits,
  ) {}

  @Post()
  @HttpCode(202)
  @Describe({
    summary:
      'Have a worker read rows from a bucket and store them as data sets; the rows do not pass the coordinator. A request that is repeated with the same Idempotency-Key is the same reading',
    tag: 'datasets',
    body: readingRequestSchema,
    answers: { 202: readingSchema },
    problems: [403, 413, 415, 422, 503],
  })
  async begin(
    @Req() request: Request,
    @Body(new ContractPipe(readingRequestSchema, 'reading request')) asked: ReadingRequest,
  ): Promise<Reading> {
    const { caller } = contextOf(request);
    const asker = { ...submitterOf(caller), role: caller.role };
    for (const source of [asked.source, asked.valid, asked.test])
      if (source !== undefined) requireAllowed(this.config.sources, source, asker);
    await this.limits.requireRoomForRows(submitterOf(caller));
    return this.readings.begin(asked, keyOf(request));
  }

  @Get(':id')
  @Describe({
    summary: 'How far a reading has come, and the data sets that it ended in',
    tag: 'datasets',
    path: pathSchema,
    answers: { 200: readingSchema },
    problems: [404],
  })
  status(@Param(new ContractPipe(pathSchema, 'path')) { id }: z.infer<typeof pathSchema>): Promise<Reading> {
    return this.readings.status(id);
  }
}

const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{8,200}$/);

/** What a client says that its request is, with whose it is; null where it says nothing. */
function keyOf(request: Request): readonly string[] | null {
  const given = request.get('Idempotency-Key');
  if (given === undefined) return null;
  if (!idempotencyKeySchema.safeParse(given).success)
    throw new CoordinatorError('invalid-request', {
      got: `${given.length} characters: ${JSON.stringify(given.slice(0, 40))}`,
      expected: '8 to 200 letters, digits and signs, without spaces',
      where: 'headers, "Idempotency-Key"',
      remedy: 'Make it of random characters, as a UUID is.',
    });
  return [personOf(submitterOf(contextOf(request).caller)), given];
}
