import type { PipeTransform } from '@nestjs/common';
import { FORMATS, TABLE_FORMATS } from '@orchard/dataset';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { QueryPipe } from '../http/query-pipe.js';
import { uploadQuerySchema, type UploadQuery } from './dataset-documents.js';
import { describeQuerySchema, type DescribeQuery } from './describe-documents.js';
import { splitQuerySchema, type SplitQuery } from './split-documents.js';

const { 'valid-fraction': validFraction, 'test-fraction': testFraction, weights, seed } = splitQuerySchema.shape;

/** What says that rows are to be shared out. */
const ofShares = ['valid-fraction', 'test-fraction', 'weights'] as const;

const describes = z
  .boolean()
  .optional()
  .meta({ description: 'true: says what would be learned of a table, and stores nothing' });

/** All that may be said of a file of rows that is sent; which of it goes together {@link RowsRequestPipe} knows. */
export const rowsQuerySchema = z.strictObject({
  describe: describes,
  'valid-fraction': validFraction.unwrap().optional().meta({
    description: 'shares the rows of a table out: what share of them validates, above 0 and below 1',
  }),
  'test-fraction': testFraction.unwrap().optional().meta({
    description: 'shares the rows of a table out: what share of them tests, from 0 and below 1; 0',
  }),
  weights,
  ...describeQuerySchema.shape,
  ...uploadQuerySchema.shape,
  format: z
    .enum([...new Set([...FORMATS, ...TABLE_FORMATS])])
    .optional()
    .meta({
      description: `${FORMATS.join(', ')}, of tables ${TABLE_FORMATS.join(', ')}: goes before what Content-Type and content say`,
    }),
  seed: seed.unwrap().optional().meta({
    description: 'what draws the rows of each share, or bits by binarize=bernoulli: a whole number from 0 to 2^53 - 1',
  }),
});

/** What is to be made of a file of rows. */
export type RowsRequest =
  | { readonly wanted: 'dataset'; readonly query: UploadQuery }
  | { readonly wanted: 'splits'; readonly query: SplitQuery }
  | { readonly wanted: 'description'; readonly query: DescribeQuery };

const ofDataset = new QueryPipe(uploadQuerySchema);
const ofSplits = new QueryPipe(splitQuerySchema);
const ofDescription = new QueryPipe(describeQuerySchema);
const ofWanted = new QueryPipe(z.strictObject({ describe: describes }));

/** Names of parameters that only a table's rows have. */
const ofTables = Object.keys(splitQuerySchema.shape).filter((name) => !(name in uploadQuerySchema.shape));

/** Reads by the query what is wanted, and the rest of it by the schema of that. */
export class RowsRequestPipe implements PipeTransform<unknown, RowsRequest> {
  /** @throws Refusal `invalid-contract`, answered with 400 */
  transform(query: unknown): RowsRequest {
    const { describe, ...rest } = query as Readonly<Record<string, unknown>>;
    const wanted = ofWanted.transform(describe === undefined ? {} : { describe });
    if (wanted.describe === true) return { wanted: 'description', query: ofDescription.transform(rest) };
    if (ofShares.some((name) => name in rest)) return { wanted: 'splits', query: ofSplits.transform(rest) };
    this.#refuseOfOthers(rest);
    return { wanted: 'dataset', query: ofDataset.transform(rest) };
  }

  /** What is known, but not of rows of 0 and 1, says what it goes with; what is unknown, all that there is. */
  #refuseOfOthers(query: Readonly<Record<string, unknown>>): void {
    const odd = Object.keys(query).find((name) => !(name in uploadQuerySchema.shape));
    if (odd === undefined) return;
    const shown = JSON.stringify(odd.slice(0, 60));
    if (ofTables.includes(odd))
      throw new Refusal('invalid-contract', {
        got: `${shown}, which says how a table is read, for rows of 0 and 1`,
        expected: `only ${Object.keys(uploadQuerySchema.shape).join(', ')}`,
        where: 'query',
        remedy: `Add valid-fraction=0.1 to store a table, or describe=true to see what would be learned of it; or remove ${shown}.`,
      });
    throw new Refusal('invalid-contract', {
      got: `unknown ${shown}`,
      expected: `only ${Object.keys(rowsQuerySchema.shape).join(', ')}`,
      where: 'query',
      remedy: `Remove ${shown}, or correct the spelling.`,
    });
  }
}
