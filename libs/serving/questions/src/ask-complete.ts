import {
  DRAWS_FOR_PROBABILITIES,
  particlesFor,
  possibleValues,
  RowFiller,
  rulesAsked,
  sampleFills,
  type PossibleCell,
} from '@orchard/analysis';
import { wordsOf } from '@orchard/dataset';
import { askedAsTable, isExactOfTable, type DensityModel, type TabularModel } from '@orchard/model';
import { encodeRows, type EncodedRequest } from './encode-rows.js';
import { densitiesOf } from './known-rows.js';
import { parseRows } from './parse-questions.js';
import { completeRequestSchema, type CompleteAnswer } from './row-documents.js';
import { cellsOfTexts, formOf, namesOf } from './row-form.js';
import { rulesSaid } from './rules-said.js';
import { checkWork, codesOf, workOfCompletions } from './work.js';

type Probabilities = NonNullable<CompleteAnswer['rows'][number]['probabilities']>;

/**
 * Fills in what is null or not given, and nothing else: a cell that does not fit its column stays as it is.
 *
 * @throws Refusal for what is not a question of this model, and for one whose likelihoods are bounds; QuestionError
 *   `over-limit` for too much work
 */
export async function askComplete(asked: DensityModel, question: unknown): Promise<CompleteAnswer> {
  const request = parseRows(completeRequestSchema, question);
  const model = askedAsTable(asked, 'complete');
  const { rows, seed = 0, probabilities = false } = request;
  const filler = new RowFiller(model, probabilities ? null : rulesAsked(model));
  const ruled = filler.rules?.ruled ?? null;
  const { samples = particlesFor(model, ruled) } = request;
  const isByShares = probabilities && isExactOfTable(model);
  const draws = !probabilities ? (request.draws ?? 1) : isByShares ? 1 : DRAWS_FOR_PROBABILITIES;
  checkWork(model, workOfCompletions(model, rows.length, { samples, draws, isRuled: ruled !== null }));
  if (!probabilities) checkWork(model, { rows: rows.length, values: model.variables * draws });
  else if (isByShares) checkWork(model, { rows: rows.length, values: codesOf(model) });
  const encoded = await encodeRows(model, request, 'unknown');
  const { matrix, known, cells, misfits, readings } = encoded;
  const rowsToFill = { ...encoded, firstRow: 0 };
  const how = { seed, samples, draws };
  const possible = probabilities ? await possibleValues(filler, rowsToFill, how) : null;
  const sampled = possible === null ? await sampleFills(filler, rowsToFill, how) : null;
  const filled = sampled?.completions.map((_, draw) => cellsOfTexts(model, sampled.textsOf(draw), rows.length)) ?? [];
  const written = formOf(model, request.form);
  const completed = (row: number) =>
    filled.map((drawn) =>
      written(
        drawn[row]!.map((cell, index) => {
          const said = typeof cell === 'string' ? (readings[index]?.write(cell) ?? cell) : cell;
          return cells[row]![index] ?? said;
        }),
      ),
    );
  const likely = possible && likelyValues(model, possible.cells, rows.length);
  const rates = model.ofBits === undefined ? null : ratesOf(model, encoded);
  const { exact, effectiveSampleSize, logEvidence, logEvidenceError } =
    sampled?.completions[0] ?? possible?.completion ?? model.completions(matrix, known, how)[0]!;
  const densities = densitiesOf(encoded, model);
  return {
    names: namesOf(model),
    misfits: misfits.size,
    remarks: [...encoded.said],
    ...rulesSaid(model, !probabilities),
    rows: cells.map((_, row) => {
      const ofRow = completed(row);
      return {
        completions: ofRow,
        ...(model.ofBits !== undefined && !probabilities && { completion: ofRow[0]! }),
        ...(likely !== null && { probabilities: likely[row]! }),
        ...(rates !== null && { rates: rates(row) }),
        logEvidence: logEvidence[row]! + densities[row]!,
        logEvidenceError: Number.isFinite(logEvidenceError[row]!) ? logEvidenceError[row]! : null,
        exact: exact[row] === 1,
        effectiveSampleSize: effectiveSampleSize[row]!,
      };
    }),
  };
}

/** Of each row what its missing values may be, by column. */
function likelyValues(model: TabularModel, cells: readonly PossibleCell[], rows: number): Probabilities[] {
  const { variables } = model.table;
  const ofRows = Array.from({ length: rows }, (): [string, Probabilities[string]][] => []);
  for (const { row, index, values } of cells) {
    const likely = values
      .filter(({ probability }) => probability > 0)
      .map(({ code, probability }) => ({
        value: wordsOf(variables[index]!, code),
        probability: Math.min(1, probability),
      }));
    ofRows[row]!.push([variables[index]!.name, likely]);
  }
  return ofRows.map((likely) => Object.fromEntries(likely));
}

/** Of rows of 0 and 1 P(1) of each column, where the model states it. */
function ratesOf(model: TabularModel, { matrix, known }: EncodedRequest): ((row: number) => number[]) | null {
  if (!isExactOfTable(model)) return null;
  const { probabilities } = model.distributions(matrix, known);
  return (row) => probabilities.map((shares) => shares[2 * row + 1]!);
}
