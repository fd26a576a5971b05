import { parseContract, seedSchema } from '@orchard/contracts';
import { valuesOf } from '@orchard/dataset';
import { isTabular, toValues, type Completion, type TabularModel } from '@orchard/model';
import { restrictionsOf, type Given } from '@orchard/registry';
import { z } from 'zod';
import { givenBits, sampleWithBits } from '../../rows/given-bits.js';
import { columnsOf } from '../rows.js';
import type { Operation } from './operation.js';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const bound = z.union([z.string(), z.number()]).optional();
const condition = z.union([value, z.strictObject({ from: bound, to: bound })]);

const questionSchema = z.strictObject({
  count: z.int().min(0).max(10_000_000),
  seed: seedSchema.default(0),
  /** Columns, and what they may be: any of a list. */
  given: z.array(z.tuple([z.string(), z.array(condition).min(1)])).default([]),
});

/** Candidates a row, where what is given does not come first in the ordering. */
const PARTICLES = 64;

/** Sampled rows: with something given, `share` is the share of all rows that are like that. */
export const sample: Operation = (model, question) => {
  const { count, seed, given } = parseContract(questionSchema, question, 'sample question');
  if (isTabular(model)) return sampleTable(model, count, seed, given);
  if (given.length === 0)
    return { rows: { count, bits: toValues(model.sample(count, seed)) }, share: 1, effectiveSampleSize: null };
  const texts = given.map(([name, any]) => [name, any.map((one) => textOf(one))] as const);
  const completion = sampleWithBits(model, givenBits(model, texts), { count, seed });
  return { rows: { count, bits: toValues(completion.matrix) }, ...trustOf(completion) };
};

function textOf(one: Given): string {
  return typeof one === 'boolean' ? String(Number(one)) : typeof one === 'object' ? '' : String(one);
}

function sampleTable(
  model: TabularModel,
  count: number,
  seed: number,
  given: readonly (readonly [string, readonly Given[]])[],
): ReturnType<Operation> {
  const { table } = model;
  if (given.length === 0) {
    const columns = columnsOf(valuesOf(model.sample(count, seed), table, seed), table);
    return { rows: { count, columns }, share: 1, effectiveSampleSize: null };
  }
  const restrictions = restrictionsOf(table, given);
  const nothing = model.emptyRows(count);
  const options = { seed, samples: PARTICLES, draws: 1, given: restrictions, mayBeAbsent: true };
  const [completion] = model.completions(nothing, nothing, options);
  const columns = columnsOf(valuesOf(completion!.matrix, table, seed, restrictions), table);
  return { rows: { count, columns }, ...trustOf(completion!) };
}

/** How many of all rows are like those that were asked for, and of how many independent candidates each is worth. */
function trustOf({ logEvidence, effectiveSampleSize, exact }: Completion): object {
  const rows = logEvidence.length;
  const share = logEvidence.reduce((sum, nats) => sum + Math.exp(nats), 0) / rows;
  const least = effectiveSampleSize.reduce((low, size) => Math.min(low, size), Infinity);
  return { share: Math.min(1, share), effectiveSampleSize: exact[0] === 1 ? null : least };
}
