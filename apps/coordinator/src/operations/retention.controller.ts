import { Controller, Get, Inject } from '@nestjs/common';
import { Describe } from '../openapi/describe.js';
import { Housekeeping } from './housekeeping.js';
import { retentionSchema, type Retention } from './retention-documents.js';

@Controller('v1/retention')
export class RetentionController {
  constructor(@Inject(Housekeeping) private readonly housekeeping: Housekeeping) {}

  @Get()
  @Describe({
    summary: 'What is kept and for how long, what was removed the last time, and which runs the next will delete',
    tag: 'operations',
    answers: { 200: retentionSchema },
  })
  get(): Promise<Retention> {
    return this.housekeeping.status();
  }
}
