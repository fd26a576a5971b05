import { parseContract } from '@orchard/contracts';
import { z } from 'zod';
import { QuestionError } from './errors.js';
import {
  completeRowsRequestSchema,
  MOST_ROWS,
  scoreRequestSchema,
  type CompleteRowsRequest,
  type ScoreRequest,
} from './row-documents.js';
import { givenSchema } from './shares-documents.js';
import { tableSampleRequestSchema } from './table-documents.js';

const { description = '' } = scoreRequestSchema.shape.rows.meta() ?? {};
/**
 * As {@link scoreRequestSchema}, but for the values: a schema says everything that is wrong with a million of them, at
 * 400 bytes each.
 */
const outerSchema = scoreRequestSchema.extend({
  rows: z.array(z.unknown()).min(1).max(MOST_ROWS).meta({ description }),
});

/**
 * A score request for a network of so many dimensions. The first wrong value ends the parsing.
 *
 * @throws Refusal `invalid-contract`; QuestionError `invalid-request` for a value, `over-limit` for a width
 */
export function parseScoreRequest(value: unknown, dimensions: number): ScoreRequest {
  const request = parseContract(outerSchema, value, 'score request');
  request.rows.forEach((row, index) => checkRow(row, index, dimensions));
  return request as ScoreRequest;
}

/**
 * Rows with missing values for a network of so many dimensions. The first wrong value ends the parsing.
 *
 * @throws Refusal `invalid-contract`; QuestionError `invalid-request` for a value, `over-limit` for a width
 */
export function parseCompleteRequest(value: unknown, dimensions: number): CompleteRowsRequest {
  const rows = z.array(z.unknown()).min(1).max(MOST_ROWS);
  const request = parseContract(completeRowsRequestSchema.extend({ rows }), value, 'complete request');
  request.rows.forEach((row, index) => checkRow(row, index, dimensions, true));
  return request as CompleteRowsRequest;
}

function checkRow(row: unknown, index: number, dimensions: number, mayHaveHoles = false): void {
  const orHole = mayHaveHoles ? ', or null where unknown' : '';
  if (!Array.isArray(row)) throw wrong(row, `rows.${index}`, `a list of 0 and 1${orHole}`);
  if (row.length === 0) throw wrong('an empty list', `rows.${index}`, `a list of 0 and 1${orHole}`);
  const at = row.findIndex((value) => value !== 0 && value !== 1 && !(mayHaveHoles && value === null));
  if (at >= 0) throw wrong(row[at], `rows.${index}.${at}`, `0 or 1${orHole}`);
  if (row.length === dimensions) return;
  throw new QuestionError('over-limit', {
    got: `${row.length} values`,
    expected: `${dimensions}, one for each dimension of the network`,
    where: `row ${index}`,
    remedy: 'Give all dimensions, in stored order.',
  });
}

function wrong(value: unknown, where: string, expected: string): QuestionError {
  const got = typeof value === 'object' && value !== null ? 'a list or an object' : String(value).slice(0, 40);
  const remedy = 'Give rows of 0 and 1, one value a dimension.';
  return new QuestionError('invalid-request', { got, expected, where: `request, "${where}"`, remedy });
}

/**
 * A request with rows of a table. The first row that is none ends the parsing.
 *
 * @throws Refusal `invalid-contract`; QuestionError `invalid-request` for what is not a row
 */
export function parseTableRows<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const rows = z.array(z.unknown()).min(1).max(MOST_ROWS).meta({ description });
  const request = parseContract(schema.extend({ rows }), value, 'request') as { readonly rows: readonly unknown[] };
  request.rows.forEach((row, at) => {
    if (typeof row !== 'object' || row === null) throw noRow(row, `rows.${at}`);
    for (const [name, cell] of Object.entries(row))
      if (typeof cell === 'object' && cell !== null) throw noRow(cell, `rows.${at}.${name.slice(0, 80)}`);
  });
  return request as z.output<Schema>;
}

/** A request for rows of a table. @throws Refusal `invalid-contract` */
export function parseTableSample(value: unknown): z.output<typeof tableSampleRequestSchema> {
  const request = parseContract(tableSampleRequestSchema, value, 'sample request');
  // a column may be called so, and the parser drops it
  const name = '__proto__';
  const { given } = value as z.input<typeof tableSampleRequestSchema>;
  if (given === undefined || !Object.hasOwn(given, name)) return request;
  const said = parseContract(givenSchema, given[name], `sample request, "given.${name}"`);
  return { ...request, given: Object.fromEntries([...Object.entries(request.given ?? {}), [name, said]]) };
}

function noRow(value: unknown, where: string): QuestionError {
  const got = typeof value === 'object' ? 'a list, an object or null' : String(value).slice(0, 40);
  const expected = 'a row: an object of values by column, or a list of values';
  const remedy = 'Values are texts, numbers, true, false or null.';
  return new QuestionError('invalid-request', { got, expected, where: `request, "${where}"`, remedy });
}
