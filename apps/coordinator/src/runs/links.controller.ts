import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { sha256Schema } from '@orchard/contracts';
import { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Tickets } from '../http/tickets.js';
import { Describe } from '../openapi/describe.js';
import { wantedQueryShape } from './wanted.js';

const filePathSchema = z.strictObject({
  id: sha256Schema,
  file: z.enum(['network', 'model', 'report', 'summary']).meta({ description: 'network, model, report or summary' }),
});
const linkQuerySchema = z.strictObject(wantedQueryShape);
const linkSchema = z.strictObject({
  path: z.string().meta({ description: 'of the file, with a ticket that is good for a minute' }),
});

/** Links to a run's files for a browser, which follows them without a token. */
@Controller('v1/runs')
export class LinksController {
  constructor(@Inject(Tickets) private readonly tickets: Tickets) {}

  @Get(':id/links/:file')
  @Describe({
    summary: 'A link to a file of a run that anybody may follow for a minute',
    tag: 'runs',
    path: filePathSchema,
    query: linkQuerySchema,
    answers: { 200: linkSchema },
  })
  link(
    @Param(new ContractPipe(filePathSchema, 'path')) { id, file }: z.infer<typeof filePathSchema>,
    @Query(new QueryPipe(linkQuerySchema)) wanted: Record<string, unknown>,
  ): z.infer<typeof linkSchema> {
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
    return { path: this.tickets.link(`/v1/runs/${id}/${file}`, query) };
  }
}
