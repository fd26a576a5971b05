import { Controller, Delete, Get, Inject } from '@nestjs/common';
import { collectGarbage } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { leftoversDocument, leftoversSchema, type Leftovers } from './garbage.js';

/** Leftovers of runs and uploads. Data sets that no run needs are removed one by one, by those who know what they are going to submit. */
@Controller('v1/garbage')
export class GarbageController {
  constructor(@Inject(Port.store) private readonly store: ObjectStore) {}

  @Get()
  @Describe({
    summary:
      'List what nothing refers to: objects of deleted or never created runs, checkpoints of finished dimensions, uploads that were cut off',
    tag: 'operations',
    answers: { 200: leftoversSchema },
  })
  async list(): Promise<Leftovers> {
    return leftoversDocument(await collectGarbage(this.store));
  }

  @Delete()
  @Describe({
    summary: 'Remove what nothing refers to; the answer says what was removed',
    tag: 'operations',
    answers: { 200: leftoversSchema },
  })
  async remove(): Promise<Leftovers> {
    return leftoversDocument(await collectGarbage(this.store, { remove: true }));
  }
}
