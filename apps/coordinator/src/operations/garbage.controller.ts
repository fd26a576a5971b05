import { Controller, Delete, Get, Inject, Query } from '@nestjs/common';
import { collectGarbage } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import type { z } from 'zod';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { garbageQuerySchema, leftoversDocument, leftoversSchema, type Leftovers } from './garbage.js';

type GarbageQuery = z.infer<typeof garbageQuerySchema>;

/**
 * Leftovers of runs and uploads and, when asked for, data sets that no run needs; of a certain age, for what is about
 * to be submitted.
 */
@Controller('v1/garbage')
export class GarbageController {
  constructor(@Inject(Port.store) private readonly store: ObjectStore) {}

  @Get()
  @Describe({
    summary:
      'List what nothing refers to: objects of deleted or never created runs, checkpoints of finished dimensions, uploads that were cut off, data sets that no run needs',
    tag: 'operations',
    query: garbageQuerySchema,
    answers: { 200: leftoversSchema },
  })
  async list(@Query(new QueryPipe(garbageQuerySchema)) query: GarbageQuery): Promise<Leftovers> {
    return leftoversDocument(await collectGarbage(this.store, query));
  }

  @Delete()
  @Describe({
    summary: 'Remove what nothing refers to; the answer says what was removed',
    tag: 'operations',
    query: garbageQuerySchema,
    answers: { 200: leftoversSchema },
  })
  async remove(@Query(new QueryPipe(garbageQuerySchema)) query: GarbageQuery): Promise<Leftovers> {
    return leftoversDocument(await collectGarbage(this.store, { ...query, remove: true }));
  }
}
