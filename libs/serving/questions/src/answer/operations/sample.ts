import {
  GivenSampler,
  rowsOfModel,
  rulesAsked,
  sampledAtATime,
  sharesOf,
  SharesSampler,
  type RowSource,
  type SaidShares,
} from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { asTabular, type TabularModel } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { restrictionsOf, type Given } from '@orchard/tables';
import { z } from 'zod';
import { rowsWriter, type RowsWriter } from '../rows.js';
import type { Operation } from './operation.js';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const bound = z.union([z.string(), z.number()]).optional();
const condition = z.union([value, z.strictObject({ from: bound, to: bound })]);

const questionSchema = z.strictObject({
  count: z.int().min(0).max(10_000_000),
  seed: seedSchema.default(0),
  /** Columns, and what they may be: any of a list. */
  given: z.array(z.tuple([z.string(), z.array(condition).min(1)])).default([]),
  /** Columns, and which share of the rows is to have which of their values. */
  shares: z.array(z.tuple([z.string(), z.array(z.tuple([condition, z.number()])).min(1)])).default([]),
  /** What holds of every row beside the rules that the model keeps; false leaves these too. */
  rules: z.union([z.array(z.string()), z.literal(false)]).optional(),
});

/** Sampled rows: with something given, `share` is the share of all rows that are like that. */
export const sample: Operation = (network, question) => {
  const { count, seed, given, shares, rules } = parseContract(questionSchema, question, 'sample question');
  if (Array.isArray(rules) && rules.length > 0 && given.length + shares.length > 0)
    throw together('rules beside what is given, or shares', 'rules');
  if (shares.length > 0 && given.length > 0)
    throw together('shares beside what is given', 'shares', '; given= samples the rows of one part');
  const model = asTabular(network);
  const rows = rowsWriter(model, count);
  if (shares.length > 0) {
    const sampler = new SharesSampler(model, sharesOf(model, saidShares(shares)), { count, seed });
    const { pool, effectiveRows } = sampler;
    write(rows, model, count, sampler);
    return { rows: rows.document(), share: 1, effectiveSampleSize: null, pool, effectiveRows };
  }
  if (given.length > 0) {
    const restrictions = restrictionsOf(model.table, model.ofBits === undefined ? given : bitsGiven(given));
    const sampler = new GivenSampler(model, seed, restrictions);
    write(rows, model, count, sampler);
    const { share, leastEffectiveSampleSize: effectiveSampleSize } = sampler;
    return { rows: rows.document(), share: Math.min(1, share), effectiveSampleSize };
  }
  write(rows, model, count, rowsOfModel(model, rulesAsked(model, rules)?.ruled ?? null, seed));
  return { rows: rows.document(), share: 1, effectiveSampleSize: null };
};

function together(got: string, where: string, more = ''): Refusal {
  return new Refusal('invalid-argument', { got, expected: `${where} alone`, where, remedy: `Leave one out${more}.` });
}

function write(rows: RowsWriter, { variables }: TabularModel, count: number, source: RowSource): void {
  const most = sampledAtATime(variables);
  for (let first = 0; first < count; first += most)
    rows.addCodes(source.next(Math.min(most, count - first)), (codes) => source.wordsOf(codes, first));
}

type Asked = z.infer<typeof questionSchema>;

function saidShares(shares: Asked['shares']): SaidShares[] {
  return shares.map(([column, parts]) => ({
    column,
    parts: parts.map(([value, share]) => ({ value, words: wordsOf(value), share })),
  }));
}

function wordsOf(value: Given): string {
  if (typeof value !== 'object' || value === null) return value === null ? '' : String(value);
  return `${String(value.from ?? '')}..${String(value.to ?? '')}`;
}

/** True is 1. */
function bitsGiven(given: Asked['given']): Asked['given'] {
  return given.map(([name, any]) => [name, any.map((one) => (typeof one === 'boolean' ? Number(one) : one))]);
}
