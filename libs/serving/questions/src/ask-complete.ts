import { codeCount, holeCode, otherCode, wordsOf } from '@orchard/dataset';
import { underKeptRules } from '@orchard/members';
import {
  asTabular,
  isBound,
  isExactOfTable,
  PARTICLES_UNDER_RULES,
  usualParticles,
  type Completion,
  type DensityModel,
  type TabularModel,
} from '@orchard/model';
import { encodeRows, type EncodedRequest } from './encode-rows.js';
import { QuestionError } from './errors.js';
import { parseRows } from './parse-questions.js';
import { completeRequestSchema, type CompleteAnswer } from './row-documents.js';
import { cellsOfCodes, cellsOfTexts, formOf, namesOf } from './row-form.js';
import { rulesSaid } from './rules-said.js';
import { checkWork, workOfCompletions } from './work.js';

/** Completions by which a model that cannot state it exactly says how likely a value is. */
const DRAWS_FOR_PROBABILITIES = 200;

type Probabilities = NonNullable<CompleteAnswer['rows'][number]['probabilities']>;

/**
 * Fills in what is null or not given, and nothing else: a cell that does not fit its column stays as it is.
 *
 * @throws Refusal for what is not a question of this model; QuestionError `over-limit` for too much work, and for a
 *   model whose likelihoods are bounds
 */
export async function askComplete(asked: DensityModel, question: unknown): Promise<CompleteAnswer> {
  const request = parseRows(completeRequestSchema, question);
  if (isBound(asked)) throw onlyBounds(asked);
  const model = asTabular(asked);
  const { rows, seed = 0, probabilities = false } = request;
  const ruled = probabilities ? null : underKeptRules(model);
  const { samples = ruled === null ? usualParticles(model) : PARTICLES_UNDER_RULES } = request;
  const isByShares = probabilities && isExactOfTable(model);
  const draws = !probabilities ? (request.draws ?? 1) : isByShares ? 1 : DRAWS_FOR_PROBABILITIES;
  checkWork(model, workOfCompletions(model, rows.length, { samples, draws, isRuled: ruled !== null }));
  if (!probabilities) checkWork(model, { rows: rows.length, values: model.variables * draws });
  else if (isByShares) checkWork(model, { rows: rows.length, values: sumOfCodes(model) });
  const encoded = await encodeRows(model, request, 'unknown');
  const { matrix, known, cells, misfits, values, readings, logDensity, numberAt } = encoded;
  const completions =
    ruled?.completions({ matrix, known, numberAt }, { seed, samples, draws }) ??
    model.completions(matrix, known, { seed, samples, draws, forCells: probabilities });
  const filled = completions.map((completion, draw) => {
    if (probabilities) return [];
    if (ruled === null) return cellsOfCodes(model, completion.matrix, seed + draw, { values });
    const texts = ruled.wordsOf(completion.matrix, seed + draw, 0, { numberAt, values });
    return cellsOfTexts(model, texts, rows.length);
  });
  const written = formOf(model, request.form);
  const completed = (row: number) =>
    probabilities
      ? []
      : filled.map((drawn) =>
          written(
            drawn[row]!.map((cell, index) => {
              const said = typeof cell === 'string' ? (readings[index]?.write(cell) ?? cell) : cell;
              return cells[row]![index] ?? said;
            }),
          ),
        );
  const likely = probabilities ? likelyValues(model, encoded, completions) : null;
  const rates = model.ofBits === undefined ? null : ratesOf(model, encoded);
  const { exact, effectiveSampleSize, logEvidence, logEvidenceError } = completions[0]!;
  return {
    names: namesOf(model),
    misfits: misfits.size,
    ...rulesSaid(model, !probabilities),
    rows: cells.map((_, row) => {
      const ofRow = completed(row);
      const densities = logDensity.subarray(row * model.variables, (row + 1) * model.variables);
      return {
        completions: ofRow,
        ...(model.ofBits !== undefined && !probabilities && { completion: ofRow[0]! }),
        ...(likely !== null && { probabilities: likely(row) }),
        ...(rates !== null && { rates: rates(row) }),
        logEvidence: densities.reduce((sum, nats) => sum + nats, logEvidence[row]!),
        logEvidenceError: Number.isFinite(logEvidenceError[row]!) ? logEvidenceError[row]! : null,
        exact: exact[row] === 1,
        effectiveSampleSize: effectiveSampleSize[row]!,
      };
    }),
  };
}

/** What each missing value of a row may be: by its distribution where the model states it, else by completions. */
function likelyValues(
  model: TabularModel,
  { matrix, known, cells }: EncodedRequest,
  completions: readonly Completion[],
): (row: number) => Probabilities {
  const { variables } = model.table;
  const shares = isExactOfTable(model) ? model.distributions(matrix, known).probabilities : null;
  const sharesOf = (row: number, index: number): Float64Array => {
    const codes = codeCount(variables[index]!);
    if (shares !== null) return shares[index]!.subarray(row * codes, (row + 1) * codes);
    const drawn = new Float64Array(codes);
    for (const completion of completions) drawn[model.codeOf(completion.matrix, row, index)]! += 1 / completions.length;
    return drawn;
  };
  const likelyOf = (row: number, index: number): Probabilities[string] => {
    const variable = variables[index]!;
    const [own, hole, other] = [sharesOf(row, index), holeCode(variable), otherCode(variable)];
    return [...own.keys()]
      .filter((code) => own[code]! > 0 && code !== hole && code !== other)
      .sort((a, b) => own[b]! - own[a]! || a - b)
      .map((code) => ({ value: wordsOf(variable, code), probability: Math.min(1, own[code]!) }));
  };
  return (row) =>
    Object.fromEntries(
      variables.flatMap(({ name }, index) => (cells[row]![index] === undefined ? [[name, likelyOf(row, index)]] : [])),
    );
}

/** Of rows of 0 and 1 P(1) of each column, where the model states it. */
function ratesOf(model: TabularModel, { matrix, known }: EncodedRequest): ((row: number) => number[]) | null {
  if (!isExactOfTable(model)) return null;
  const { probabilities } = model.distributions(matrix, known);
  return (row) => probabilities.map((shares) => shares[2 * row + 1]!);
}

function sumOfCodes({ table }: TabularModel): number {
  return table.variables.reduce((sum, variable) => sum + codeCount(variable), 0);
}

function onlyBounds({ family }: DensityModel): QuestionError {
  return new QuestionError('over-limit', {
    got: `a model of the family ${family} whose likelihoods are lower bounds`,
    expected: 'one that can sum out what is unknown',
    remedy: 'Ask another model: `orchard compare-models` says what each can answer.',
  });
}
