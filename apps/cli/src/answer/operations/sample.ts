import { parseContract, seedSchema } from '@orchard/contracts';
import { valuesOf } from '@orchard/dataset';
import { isTabular, toValues, type Completion, type TabularModel } from '@orchard/model';
import { restrictionsOf, type Given } from '@orchard/registry';
import { z } from 'zod';
import { givenBits, sampleWithBits } from '../../rows/given-bits.js';
import { GivenSampler } from '../../tables/given-sampler.js';
import { sampledAtATime } from '../../tables/sampled-rows.js';
import { ColumnDocuments } from '../rows.js';
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
  const restrictions = restrictionsOf(table, given);
  const givenSampler = given.length === 0 ? null : new GivenSampler(model, seed, restrictions);
  const sampler = givenSampler ?? model.sampler(seed);
  const most = sampledAtATime(model.variables);
  const columns = new ColumnDocuments(table, count);
  for (let first = 0; first < count; first += most) {
    const codes = sampler.next(Math.min(most, count - first));
    columns.add(valuesOf(codes, table, seed, restrictions, new Map(), first));
  }
  return {
    rows: { count, columns: columns.columns() },
    share: givenSampler === null ? 1 : Math.min(1, givenSampler.share),
    effectiveSampleSize: givenSampler?.leastEffectiveSampleSize ?? null,
  };
}

/** How many of all rows are like those that were asked for, and of how many independent candidates each is worth. */
function trustOf({ logEvidence, effectiveSampleSize, exact }: Completion): object {
  const rows = logEvidence.length;
  const share = logEvidence.reduce((sum, nats) => sum + Math.exp(nats), 0) / rows;
  const least = effectiveSampleSize.reduce((low, size) => Math.min(low, size), Infinity);
  return { share: Math.min(1, share), effectiveSampleSize: exact[0] === 1 ? null : least };
}
