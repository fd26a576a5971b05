import { codeCount, holeCode, otherCode } from '@orchard/dataset';
import { isExactOfTable, type Completion } from '@orchard/model';
import type { CompletionsAsked } from './completions-of.js';
import type { FilledCell } from './fill-options.js';
import type { RowFiller } from './row-filler.js';
import { missingCells, type RowsToFill } from './rows-to-fill.js';

/** Completions by which a model that cannot state it exactly says how likely a value is. */
export const DRAWS_FOR_PROBABILITIES = 200;

/** What a missing value may be: codes of values alone, the more probable first. */
export interface PossibleCell extends Pick<FilledCell, 'row' | 'index'> {
  readonly values: readonly { readonly code: number; readonly probability: number }[];
}

export interface PossibleValues {
  /** By row, in a row by column; rows of these. */
  readonly cells: readonly PossibleCell[];
  /** log P of what is known of each row, nats. */
  readonly logEvidence: Float64Array;
  /** The first completion, where probabilities are shares of draws; null where the model states them. */
  readonly completion: Completion | null;
}

/** What each missing value may be, and how probably: by its distribution where the model states it, else by draws. */
export async function possibleValues(
  filler: RowFiller,
  rows: RowsToFill,
  asked: CompletionsAsked,
): Promise<PossibleValues> {
  const { model } = filler;
  const { matrix, known } = rows;
  const { variables } = model.table;
  const exact = isExactOfTable(model) ? model.distributions(matrix, known) : null;
  const completions = exact === null ? await filler.completions(rows, { ...asked, forCells: true }) : [];
  const sharesOf = (row: number, index: number): Float64Array => {
    const codes = codeCount(variables[index]!);
    if (exact !== null) return exact.probabilities[index]!.subarray(row * codes, (row + 1) * codes);
    const counts = new Float64Array(codes);
    for (const { matrix: drawn } of completions) counts[model.codeOf(drawn, row, index)]!++;
    return counts.map((count) => count / completions.length);
  };
  const cells = missingCells(model, rows).map(({ row, index }) => {
    const [hole, other] = [holeCode(variables[index]!), otherCode(variables[index]!)];
    const values = Array.from(sharesOf(row, index), (probability, code) => ({ code, probability }))
      .filter(({ code }) => code !== hole && code !== other)
      .sort((a, b) => b.probability - a.probability || a.code - b.code);
    return { row, index, values };
  });
  const [completion = null] = completions;
  return { cells, logEvidence: (exact ?? completion!).logEvidence, completion };
}
