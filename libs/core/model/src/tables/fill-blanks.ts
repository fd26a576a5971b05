import { readCodes, type BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { asBitMatrix, type BinaryMatrix } from '../port/binary-matrix.js';
import type { Completion } from '../port/completion.js';
import { filledWeights } from './evidence.js';
import { missingForAReason } from './missing-for-a-reason.js';
import type { TableCompletionOptions, TabularModel } from './tabular-model.js';

/** A blank that a draw left missing. */
interface Missing {
  readonly row: number;
  readonly index: number;
}

/**
 * Completions whose blanks are values. Those of columns that are missing for a reason, as the battery of a bicycle is,
 * are missing to the rest of their row, as often as the model draws them so, and are filled in at the end: each draw by
 * itself, given the rest of its row. Where draws are looked at cell by cell, by other draws that have a value, and
 * where most have none, as if nothing was missing for a reason. A row does not depend on those beside it.
 *
 * @returns one a draw; `logEvidence` sums over what may be missing too
 */
export function fillBlanks(
  model: TabularModel,
  values: BinaryMatrix,
  known: BinaryMatrix,
  options: Omit<TableCompletionOptions, 'blanksAs'>,
): readonly Completion[] {
  const completions = model.completions(values, known, { ...options, blanksAs: missingForAReason(model) });
  const mask = asBitMatrix(known, model.dimensions);
  if (options.forCells === true) fillCells(model, completions, mask, options);
  else
    completions.forEach((completion, draw) => {
      const seed = new RandomStream(options.seed, Purpose.fill, draw).uniform() * 2 ** 53;
      fillDraw(model, completion.matrix, mask, { ...options, seed });
    });
  return completions;
}

/** The blanks of a draw that are no values. */
function missingOf({ table, offsets }: TabularModel, matrix: BitMatrix, known: BitMatrix): Missing[] {
  return table.variables.flatMap((variable, index) => {
    const weights = filledWeights(variable);
    if (weights.every((weight) => weight === 1)) return [];
    const codes = readCodes(matrix, offsets[index]!, offsets[index + 1]!);
    return Array.from(codes.keys())
      .filter((row) => weights[codes[row]!] === 0 && known.get(row, offsets[index]!) === 0)
      .map((row) => ({ row, index }));
  });
}

/** Draws what is missing of each row given all else of it. */
function fillDraw(
  model: TabularModel,
  matrix: BitMatrix,
  known: BitMatrix,
  options: Omit<TableCompletionOptions, 'blanksAs'>,
): void {
  const missing = missingOf(model, matrix, known);
  if (missing.length === 0) return;
  const rest = model.emptyRows(matrix.rows);
  rest.bytes.fill(255);
  for (const { row, index } of missing)
    for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++) rest.set(row, bit, false);
  const [filled] = model.completions(matrix, rest, { ...options, draws: 1 });
  for (const each of missing) copyCell(model, filled!.matrix, matrix, each);
}

/** Gives what is missing of some draws the values of others. */
function fillCells(
  model: TabularModel,
  completions: readonly Completion[],
  known: BitMatrix,
  options: Omit<TableCompletionOptions, 'blanksAs'>,
): void {
  const { variables } = model;
  /** Of a cell, the draws that lack it. */
  const lacking = new Map<number, number[]>();
  completions.forEach(({ matrix }, draw) => {
    for (const { row, index } of missingOf(model, matrix, known)) {
      const at = row * variables + index;
      const draws = lacking.get(at);
      if (draws === undefined) lacking.set(at, [draw]);
      else draws.push(draw);
    }
  });
  const isMost = (draws: readonly number[]): boolean => 2 * draws.length > completions.length;
  const asValues = [...lacking.values()].some(isMost)
    ? model.completions(completions[0]!.matrix, known, options)
    : completions;
  for (const [at, draws] of lacking) {
    const cell = { row: Math.floor(at / variables), index: at % variables };
    if (isMost(draws)) {
      completions.forEach(({ matrix }, draw) => copyCell(model, asValues[draw]!.matrix, matrix, cell));
      continue;
    }
    const lacks = new Set(draws);
    const have = Array.from(completions.keys()).filter((draw) => !lacks.has(draw));
    // spread evenly over those that have it
    draws.forEach((draw, place) => {
      const from = have[Math.floor(((place + 0.5) * have.length) / draws.length)]!;
      copyCell(model, completions[from]!.matrix, completions[draw]!.matrix, cell);
    });
  }
}

function copyCell({ offsets }: TabularModel, from: BitMatrix, to: BitMatrix, { row, index }: Missing): void {
  for (let bit = offsets[index]!; bit < offsets[index + 1]!; bit++) to.set(row, bit, from.get(row, bit) === 1);
}
