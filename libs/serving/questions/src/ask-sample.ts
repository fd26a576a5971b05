import { GivenSampler, PARTICLES_GIVEN, rowsOfModel, SharesSampler, sharesOf, type RowSource } from '@orchard/analysis';
import { underKeptRules } from '@orchard/members';
import { askedAsTable, asTabular, ModelError, type DensityModel, type TabularModel } from '@orchard/model';
import { restrictionsOf } from '@orchard/tables';
import { parseSample } from './parse-questions.js';
import type { Row, SampleAnswer, SampleRequest } from './row-documents.js';
import { cellsOfTexts, formOf, namesOf } from './row-form.js';
import { rulesSaid } from './rules-said.js';
import { checkWork } from './work.js';

/** Of each row that has shares of several columns: so many are sampled at most, and weighed. */
const MOST_SAMPLED_BY_SHARES = 160;

/**
 * Sampled rows: the same seed gives the same rows everywhere.
 *
 * @throws Refusal for what is not a question of this model
 */
export function askSample(asked: DensityModel, question: unknown): SampleAnswer {
  const request = parseSample(question);
  const { count, seed = 0, given = {}, shares = {} } = request;
  const model = asTabular(asked);
  if (Object.keys(shares).length > 0) return sampleShares(askedAsTable(asked, 'shares'), request);
  const names = namesOf(model);
  const restrictions = restrictionsOf(
    model.table,
    Object.entries(given).map(([name, said]) => [name, Array.isArray(said) ? said : [said]]),
  );
  const isGiven = restrictions.size > 0;
  checkWork(model, { rows: count, particles: isGiven ? PARTICLES_GIVEN : 1, values: model.dimensions });
  if (!isGiven) {
    const source = rowsOfModel(model, underKeptRules(model), seed);
    return { names, rows: rowsFrom(source, model, request), ...rulesSaid(model, true) };
  }
  const sampler = new GivenSampler(model, seed, restrictions);
  return {
    names,
    rows: rowsFrom(sampler, model, request),
    share: Math.min(1, sampler.share),
    effectiveSampleSize: sampler.effectiveSampleSize,
    ...rulesSaid(model, false),
  };
}

function rowsFrom(source: RowSource, model: TabularModel, { count, form }: SampleRequest): Row[] {
  const texts = source.wordsOf(source.next(count), 0);
  return cellsOfTexts(model, texts, count).map(formOf(model, form));
}

/** Rows as the command line samples them by shares. */
function sampleShares(model: TabularModel, request: SampleRequest): SampleAnswer {
  if (Object.keys(request.given ?? {}).length > 0)
    throw new ModelError('invalid-argument', {
      got: 'shares beside what is given',
      expected: 'one of the two',
      where: 'shares',
      remedy: 'Leave one out; given samples the rows of one part.',
    });
  const { count, seed = 0, shares = {} } = request;
  checkWork(model, { rows: count, particles: MOST_SAMPLED_BY_SHARES, values: model.dimensions });
  const said = Object.entries(shares).map(([column, parts]) => ({
    column,
    parts: parts.map(({ value, share }) => {
      if (Array.isArray(value))
        throw new ModelError('invalid-argument', {
          got: `a share of several values of ${JSON.stringify(column)} together`,
          expected: 'a value or a range for each share',
          where: 'shares',
          remedy: 'Give each value its own share.',
        });
      return { value, words: value === null ? '' : JSON.stringify(value), share };
    }),
  }));
  const sampler = new SharesSampler(model, sharesOf(model, said), { count, seed });
  return {
    names: namesOf(model),
    rows: rowsFrom(sampler, model, request),
    shares: { pool: sampler.pool, effectiveRows: sampler.effectiveRows },
    ...rulesSaid(model, false),
  };
}
