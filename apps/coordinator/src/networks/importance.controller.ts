import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { isTabular, type DensityModel, type Explained } from '@orchard/model';
import type { RunLife } from '@orchard/runs';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { chosenModel } from '../runs/wanted.js';
import { networkPathSchema, networkQuerySchema } from './network-documents.js';
import { Networks } from './networks.js';

/** As many pixels as an image of 64 x 64 has. */
const MOST_SHARES = 4096;

const importanceQuerySchema = networkQuerySchema.extend({
  column: z.int().min(0).default(0).meta({ description: 'the dimension or variable, as stored, from 0' }),
});

const importanceAnswerSchema = z.strictObject({
  column: z.int().min(0),
  name: z.string().nullable(),
  columns: z.int().min(1).meta({ description: 'how many there are' }),
  shares: z
    .array(z.strictObject({ column: z.int().min(0), name: z.string().nullable(), share: z.number().min(0) }))
    .meta({ description: 'of what the model knows of the column, the largest first; at most 4096, none that is 0' }),
});

type ImportanceAnswer = z.infer<typeof importanceAnswerSchema>;

/** What a column is predicted from. Trees split on noise too: nothing here is held against rows, as `orchard importance` can. */
@Controller('v1/networks')
export class ImportanceController {
  constructor(
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(Networks) private readonly networks: Networks,
  ) {}

  @Get(':id/importance')
  @Describe({
    summary: 'What one column is predicted from, not judged by held-out rows',
    tag: 'networks',
    path: networkPathSchema,
    query: importanceQuerySchema,
    answers: { 200: importanceAnswerSchema },
    problems: [404, 409, 422],
  })
  async importance(
    @Param(new ContractPipe(networkPathSchema, 'path')) { id }: z.infer<typeof networkPathSchema>,
    @Query(new QueryPipe(importanceQuerySchema)) query: { readonly column: number } & Record<string, unknown>,
  ): Promise<ImportanceAnswer> {
    const { column, ...wanted } = query;
    const model = await this.networks.open(id, chosenModel(await this.life.status(id), wanted).name);
    if (!tellsImportance(model)) throw notTold(model);
    const names = namesOf(model);
    const columns = isTabular(model) ? model.variables : model.dimensions;
    if (column >= columns) throw unknownColumn(column, columns);
    const shares = Array.from(model.importanceOf(column), (share, at) => ({
      column: at,
      name: names?.[at] ?? null,
      share,
    }));
    const known = shares.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
    return { column, name: names?.[column] ?? null, columns, shares: known.slice(0, MOST_SHARES) };
  }
}

function tellsImportance(model: DensityModel): model is DensityModel & Pick<Explained, 'importanceOf'> {
  return 'importanceOf' in model;
}

function namesOf(model: DensityModel): readonly string[] | null {
  return isTabular(model) ? model.table.variables.map(({ name }) => name) : model.names;
}

function notTold({ family }: DensityModel): CoordinatorError {
  return new CoordinatorError('over-limit', {
    got: `a model of the family ${family}`,
    expected: 'one whose columns are predicted from others',
    remedy: 'Ask a run of another kind of model.',
  });
}

function unknownColumn(column: number, columns: number): CoordinatorError {
  return new CoordinatorError('over-limit', {
    got: `column ${String(column)}`,
    expected: `one of 0 to ${String(columns - 1)}`,
    where: 'query, "column"',
    remedy: 'Correct the number.',
  });
}
