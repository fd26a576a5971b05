import { parseContract } from '@orchard/contracts';
import { z } from 'zod';
import { QuestionError } from './errors.js';
import { MOST_ROWS, sampleRequestSchema, scoreRequestSchema, type SampleRequest } from './row-documents.js';
import { givenSchema } from './shares-documents.js';

const { description = '' } = scoreRequestSchema.shape.rows.meta() ?? {};

/**
 * A request with rows. The first row that is none ends the parsing: a schema says everything that is wrong with a
 * million values, at 400 bytes each.
 *
 * @throws Refusal `invalid-contract`; QuestionError `invalid-request` for what is not a row
 */
export function parseRows<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const rows = z.array(z.unknown()).min(1).max(MOST_ROWS).meta({ description });
  const request = parseContract(schema.extend({ rows }), value, 'request') as { readonly rows: readonly unknown[] };
  request.rows.forEach((row, at) => {
    if (typeof row !== 'object' || row === null) throw noRow(row, `rows.${at}`);
    const cells: readonly unknown[] = Array.isArray(row) ? row : Object.values(row);
    const wrong = cells.findIndex((cell) => typeof cell === 'object' && cell !== null);
    if (wrong >= 0) throw noRow(cells[wrong], `rows.${at}.${Object.keys(row)[wrong]!.slice(0, 80)}`);
  });
  return request as z.output<Schema>;
}

/** A request for rows. @throws Refusal `invalid-contract` */
export function parseSample(value: unknown): SampleRequest {
  const request = parseContract(sampleRequestSchema, value, 'sample request');
  // a column may be called so, and the parser drops it
  const name = '__proto__';
  const { given } = value as z.input<typeof sampleRequestSchema>;
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
