import type { RulesOfModel } from '@orchard/analysis';
import { sharesOf, SharesSampler } from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { valuesOf } from '@orchard/dataset';
import { asTabular, isTabular, toValues, type Completion, type DensityModel, type TabularModel } from '@orchard/model';
import { restrictionsOf, type Given } from '@orchard/registry';
import { z } from 'zod';
import { givenBits, sampleWithBits } from '../../rows/given-bits.js';
import { UsageError } from '../../errors.js';
import { rulesAsked } from '../../tables/rules.js';
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
  /** Columns, and which share of the rows is to have which of their values. */
  shares: z.array(z.tuple([z.string(), z.array(z.tuple([condition, z.number()])).min(1)])).default([]),
  /** What holds of every row beside the rules that the model keeps; false leaves these too. */
  rules: z.union([z.array(z.string()), z.literal(false)]).optional(),
});

/** Sampled rows: with something given, `share` is the share of all rows that are like that. */
export const sample: Operation = (model, question) => {
  const { count, seed, given, shares, rules } = parseContract(questionSchema, question, 'sample question');
  if (Array.isArray(rules) && rules.length > 0 && (!isTabular(model) || given.length + shares.length > 0))
    throw new UsageError({
      got: isTabular(model) ? 'rules beside what is given, or shares' : 'rules for rows of 0 and 1',
      expected: 'rules alone, and the model of a table',
      where: 'rules',
      remedy: 'Leave one out.',
    });
  if (shares.length > 0) {
    if (given.length === 0) return sampleShares(model, count, seed, shares);
    throw new UsageError({
      got: 'shares beside what is given',
      expected: 'shares alone',
      where: 'shares',
      remedy: 'Leave one out; given= samples the rows of one part.',
    });
  }
  if (isTabular(model)) {
    const ruled = given.length > 0 ? null : rulesAsked(model, rules);
    return ruled === null ? sampleTable(model, count, seed, given) : sampleUnderRules(model, ruled, count, seed);
  }
  if (given.length === 0)
    return { rows: { count, bits: toValues(model.sample(count, seed)) }, share: 1, effectiveSampleSize: null };
  const texts = given.map(([name, any]) => [name, any.map((one) => textOf(one))] as const);
  const completion = sampleWithBits(model, givenBits(model, texts), { count, seed });
  return { rows: { count, bits: toValues(completion.matrix) }, ...trustOf(completion) };
};

function sampleUnderRules(
  model: TabularModel,
  { ruled }: RulesOfModel,
  count: number,
  seed: number,
): ReturnType<Operation> {
  const sampler = ruled.sampler(seed);
  const most = sampledAtATime(model.variables);
  const columns = new ColumnDocuments(model.table, count);
  for (let first = 0; first < count; first += most) {
    const codes = sampler.next(Math.min(most, count - first));
    columns.add(ruled.wordsOf(codes, seed, first));
  }
  return { rows: { count, columns: columns.columns() }, share: 1, effectiveSampleSize: null };
}

/** Rows that have shares: `pool` is how many were sampled and weighed, null where each part was sampled by itself. */
function sampleShares(
  density: DensityModel,
  count: number,
  seed: number,
  shares: readonly (readonly [string, readonly (readonly [Given, number])[]])[],
): ReturnType<Operation> {
  const said = shares.map(([column, parts]) => ({
    column,
    parts: parts.map(([value, share]) => ({ value, words: wordsOf(value), share })),
  }));
  const model = asTabular(density);
  const sampler = new SharesSampler(model, sharesOf(model, said), { count, seed });
  const { pool, effectiveRows } = sampler;
  const worth = { share: 1, effectiveSampleSize: null, pool, effectiveRows };
  if (!isTabular(density)) return { rows: { count, bits: toValues(sampler.next(count)) }, ...worth };
  const most = sampledAtATime(model.variables);
  const columns = new ColumnDocuments(model.table, count);
  for (let first = 0; first < count; first += most) {
    const codes = sampler.next(Math.min(most, count - first));
    columns.add(sampler.wordsOf(codes, first));
  }
  return { rows: { count, columns: columns.columns() }, ...worth };
}

function wordsOf(value: Given): string {
  if (typeof value !== 'object' || value === null) return value === null ? '' : String(value);
  return `${String(value.from ?? '')}..${String(value.to ?? '')}`;
}

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
