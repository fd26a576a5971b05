import { SharesSampler, sharesOf } from '@orchard/analysis';
import { codeCount, isHole, numberOf, valuesOf, wordsOf, type KnownValues, type Texts } from '@orchard/dataset';
import { underKeptRules } from '@orchard/members';
import {
  anomalyScores,
  ModelError,
  PARTICLES_OF_TABLES,
  PARTICLES_UNDER_RULES,
  rowSurprises,
  scoresGiven,
  surprisingCells,
  type TabularModel,
} from '@orchard/model';
import { restrictionsOf } from '@orchard/tables';
import type { z } from 'zod';
import type {
  completeRequestSchema,
  CompleteAnswer,
  tableSampleRequestSchema,
  TableSampleAnswer,
  tableScoreRequestSchema,
  TableScoreAnswer,
} from './table-documents.js';
import { placesOfGiven } from './given-columns.js';
import { cellOf, encodeRows } from './table-rows.js';
import { checkWork, knowsTypical } from './work.js';

/** Of each row that is drawn with something given. */
const PARTICLES_A_DRAW = 64;
const DRAWS_FOR_PROBABILITIES = 200;
/** Of each row that has shares of several columns: so many are sampled at most, and weighed. */
const MOST_SAMPLED_BY_SHARES = 160;

/** How likely each row is, and the columns that speak against it. */
export function scoreTable(model: TabularModel, request: z.infer<typeof tableScoreRequestSchema>): TableScoreAnswer {
  const { rows, top = 5, seed = 0, givenColumns } = request;
  const given = givenColumns === undefined ? null : placesOfGiven(model, givenColumns);
  const { variables } = model.table;
  checkWork(model, { rows: rows.length, values: variables.reduce((sum, variable) => sum + codeCount(variable), 0) });
  const encoded = encodeRows(model, request, 'value');
  const { matrix, known, cells, misfits, incomplete, logDensity, unseen } = encoded;
  checkWork(model, { rows: incomplete.length, particles: PARTICLES_OF_TABLES, values: model.dimensions });
  const mass = model.logLikelihood(matrix);
  const errors = new Float64Array(rows.length);
  if (incomplete.length > 0) {
    const options = { seed, samples: PARTICLES_OF_TABLES, draws: 1 };
    const [blanks, marks] = [matrix.selectRows(incomplete), known.selectRows(incomplete)];
    const { logEvidence, logEvidenceError } = model.completions(blanks, marks, options)[0]!;
    incomplete.forEach((row, at) => {
      mass[row] = logEvidence[at]!;
      errors[row] = logEvidenceError[at]!;
    });
  }
  const scored = { matrix, known, logDensity, misfits };
  const withNumbers = { ...scored, numberAt: numbersOf(model, cells) };
  const scores = (): Float64Array =>
    given === null
      ? anomalyScores(model, rowSurprises(model, scored, 'unknown'))
      : scoresGiven(model, withNumbers, given);
  const anomalies = knowsTypical(model) || given !== null ? scores() : null;
  const reasons = surprisingCells(model, withNumbers, top + (given?.size ?? 0)).map((own) =>
    own.filter(({ index }) => given?.has(index) !== true).slice(0, top),
  );
  const answers = rows.map((_, row) => {
    const own = logDensity.subarray(row * variables.length, (row + 1) * variables.length);
    const density = own.reduce((sum, nats) => sum + nats, 0);
    return {
      logLikelihood: mass[row]! + density,
      mass: mass[row]!,
      density,
      standardError: errors[row]!,
      anomalyScore: anomalies?.[row] ?? null,
      surprising: reasons[row]!.map(({ index, ...cell }) => {
        return { column: variables[index]!.name, value: cells[row]![index]!, ...cell };
      }),
    };
  });
  const total = answers.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0);
  return { logLikelihood: total / rows.length, unseen, misfits: misfits.size, rows: answers };
}

/** Draws rows in the table's own words: the same seed gives the same rows everywhere. */
export function sampleTable(model: TabularModel, request: z.infer<typeof tableSampleRequestSchema>): TableSampleAnswer {
  const { count, seed = 0, given = {}, shares = {} } = request;
  if (Object.keys(shares).length > 0) return sampleShares(model, request);
  const restrictions = restrictionsOf(
    model.table,
    Object.entries(given).map(([name, said]) => [name, Array.isArray(said) ? said : [said]]),
  );
  const isGiven = restrictions.size > 0;
  checkWork(model, { rows: count, particles: isGiven ? PARTICLES_A_DRAW : 1, values: model.dimensions });
  const names = model.table.variables.map(({ name }) => name);
  if (!isGiven) {
    const ruled = underKeptRules(model);
    if (ruled === null) return { names, rows: objectsOf(model, model.sample(count, seed), seed) };
    const texts = ruled.wordsOf(ruled.sampler(seed).next(count), seed, 0);
    return { names, rows: objectsOfTexts(model, texts, count), ...rulesSaid(model, true) };
  }
  const nothing = model.emptyRows(count);
  const options = { seed, samples: PARTICLES_A_DRAW, draws: 1, given: restrictions, mayBeAbsent: true };
  const { matrix, effectiveSampleSize, logEvidence } = model.completions(nothing, nothing, options)[0]!;
  const share = logEvidence.reduce((sum, nats) => sum + Math.exp(nats), 0) / count;
  return {
    names,
    rows: objectsOf(model, matrix, seed, restrictions),
    share: Math.min(1, share),
    effectiveSampleSize: effectiveSampleSize.reduce((least, size) => Math.min(least, size), Infinity),
    ...rulesSaid(model, false),
  };
}

/** Rows as the command line samples them by shares. */
function sampleShares(model: TabularModel, request: z.infer<typeof tableSampleRequestSchema>): TableSampleAnswer {
  if (Object.keys(request.given ?? {}).length > 0)
    throw new ModelError('invalid-argument', {
      got: 'shares beside what is given',
      expected: 'one of the two',
      where: 'shares',
      remedy: 'Leave one out; given samples the rows of one part.',
    });
  const { count } = request;
  const sampler = samplerOfShares(model, request);
  const texts = sampler.wordsOf(sampler.next(count), 0);
  return {
    names: model.table.variables.map(({ name }) => name),
    rows: objectsOfTexts(model, texts, count),
    shares: { pool: sampler.pool, effectiveRows: sampler.effectiveRows },
    ...rulesSaid(model, false),
  };
}

/** Samples rows that have shares of the values of columns, of rows of 0 and 1 too. */
export function samplerOfShares(
  model: TabularModel,
  { count, seed = 0, shares = {} }: Pick<z.infer<typeof tableSampleRequestSchema>, 'count' | 'seed' | 'shares'>,
): SharesSampler {
  checkWork(model, { rows: count, particles: MOST_SAMPLED_BY_SHARES, values: model.dimensions });
  const said = Object.entries(shares).map(([column, parts]) => ({
    column,
    parts: parts.map(({ value, share }) => {
      if (Array.isArray(value)) throw severalValues(column);
      return { value, words: value === null ? '' : JSON.stringify(value), share };
    }),
  }));
  return new SharesSampler(model, sharesOf(model, said), { count, seed });
}

function severalValues(column: string): ModelError {
  return new ModelError('invalid-argument', {
    got: `a share of several values of ${JSON.stringify(column)} together`,
    expected: 'a value or a range for each share',
    where: 'shares',
    remedy: 'Give each value its own share.',
  });
}

/** Fills in what is null or not given, and nothing else: a cell that does not fit its column stays as it is. */
export function completeTableRows(model: TabularModel, request: z.infer<typeof completeRequestSchema>): CompleteAnswer {
  const { rows, seed = 0, probabilities = false } = request;
  const ruled = probabilities ? null : underKeptRules(model);
  const { samples = ruled === null ? PARTICLES_OF_TABLES : PARTICLES_UNDER_RULES } = request;
  const draws = probabilities ? DRAWS_FOR_PROBABILITIES : (request.draws ?? 1);
  checkWork(model, { rows: rows.length, particles: Math.max(samples, draws), values: model.dimensions });
  const { matrix, known, cells, misfits, values, readings } = encodeRows(model, request, 'unknown');
  const numberAt = numbersOf(model, cells);
  const completions =
    ruled?.completions({ matrix, known, numberAt }, { seed, samples, draws }) ??
    model.completions(matrix, known, { seed, samples, draws });
  const filled = completions.map((completion, draw) => {
    if (probabilities) return [];
    if (ruled === null) return objectsOf(model, completion.matrix, seed + draw, undefined, values);
    const texts = ruled.wordsOf(completion.matrix, seed + draw, 0, { numberAt, values });
    return objectsOfTexts(model, texts, rows.length);
  });
  const { exact, effectiveSampleSize } = completions[0]!;
  return {
    misfits: misfits.size,
    ...rulesSaid(model, !probabilities),
    rows: cells.map((own, row) => ({
      completions: probabilities
        ? []
        : filled.map((drawn) =>
            Object.fromEntries(
              model.table.variables.map(({ name }, index) => {
                const value = drawn[row]![name]!;
                const written = typeof value === 'string' ? (readings[index]?.write(value) ?? value) : value;
                return [name, own[index] ?? written];
              }),
            ),
          ),
      ...(probabilities
        ? {
            probabilities: Object.fromEntries(
              model.table.variables.flatMap(({ name }, index) =>
                own[index] === undefined ? [[name, likelyValues(model, completions, row, index)]] : [],
              ),
            ),
          }
        : {}),
      exact: exact[row] === 1,
      effectiveSampleSize: effectiveSampleSize[row]!,
    })),
  };
}

function likelyValues(
  model: TabularModel,
  completions: ReturnType<TabularModel['completions']>,
  row: number,
  index: number,
): { value: string; probability: number }[] {
  const counts = new Map<number, number>();
  for (const { matrix } of completions) {
    const code = model.codeOf(matrix, row, index);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, times], [b, others]) => others - times || a - b)
    .map(([code, times]) => ({
      value: wordsOf(model.table.variables[index]!, code),
      probability: times / completions.length,
    }));
}

function objectsOf(
  model: TabularModel,
  matrix: Parameters<typeof valuesOf>[0],
  seed: number,
  given?: Parameters<typeof valuesOf>[3],
  known?: KnownValues,
) {
  return objectsOfTexts(model, valuesOf(matrix, model.table, seed, given, known), matrix.rows);
}

function objectsOfTexts({ table }: TabularModel, texts: Texts, rows: number) {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(
      table.variables.map((variable, index) => [variable.name, cellOf(variable, texts[index]![row]!)]),
    ),
  );
}

/** The numbers that cells say; NaN where one says none. */
function numbersOf({ table }: TabularModel, cells: ReturnType<typeof encodeRows>['cells']) {
  return (row: number, index: number): number => {
    const [variable, cell] = [table.variables[index]!, cells[row]![index]];
    return variable.kind === 'ordered' && !isHole(cell) ? numberOf(cell, variable.format) : NaN;
  };
}

/** Whether rows follow the rules that the model was trained with; nothing where it keeps none. */
function rulesSaid({ table }: TabularModel, followed: boolean): Pick<TableSampleAnswer, 'rules'> {
  if (table.rules === undefined) return {};
  return { rules: { followed, rules: table.rules.map(({ words }) => words) } };
}
