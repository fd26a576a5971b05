import type { Variable } from '@orchard/contracts';
import { DatasetError, isOfWholeNumbers, numberOf, type Reading } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { knownRows, type KnownRows } from './known-rows.js';
import type { Cell, ScoreRequest } from './row-documents.js';
import { readAsked } from './rows-as-table.js';

export interface EncodedRequest extends KnownRows {
  /**
   * Cells as they came: element `[row][variable]`; undefined where they are missing and no value stands for that.
   */
  readonly cells: readonly (readonly (Cell | undefined)[])[];
  /** Of each variable how its cells are read; null where they are read as they stand. */
  readonly readings: readonly (Reading | null)[];
}

/**
 * Rows as the codes of a model's variables. A column that a row has not is unknown; null is an absent value where
 * training had any, and unknown otherwise.
 *
 * @param missing `unknown` where null is unknown too
 * @throws DatasetError and QuestionError as {@link readAsked}, and `value` where day and month may be each other
 */
export async function encodeRows(
  model: TabularModel,
  request: Pick<ScoreRequest, 'rows' | 'names' | 'types'>,
  missing: 'value' | 'unknown',
): Promise<EncodedRequest> {
  const { given, ...read } = await readAsked(model, request);
  const { readings } = read;
  refuseEither(model, readings);
  const encoded = await knownRows(model, read, given.length, {
    missing,
    withNumbers: true,
    isSaid: (row, index) => given[row]![index] !== undefined,
  });
  const isUnknown = (row: number, index: number): boolean =>
    encoded.known.get(row, model.offsets[index]!) === 0 && !encoded.misfits.has(row * model.variables + index);
  const cells = given.map((row, at) => row.map((cell, index) => (isUnknown(at, index) ? undefined : cell)));
  return { ...encoded, cells, readings };
}

/** @throws DatasetError `value` where day and month of a column may be each other */
function refuseEither({ table }: TabularModel, readings: EncodedRequest['readings']): void {
  readings.forEach((reading, index) => {
    if (reading?.isEither !== true) return;
    throw new DatasetError('value', {
      got: reading.how!,
      expected: 'dates that can be read in one way',
      where: `rows, column ${JSON.stringify(table.variables[index]!.name)}`,
      remedy: 'Write them as 2024-11-30, or as the training rows do.',
    });
  });
}

/** A text of the table as JSON has it: numbers and truth values as such, null for an absent value. */
export function cellOf(variable: Variable, text: string | null): Cell {
  if (text === null) return null;
  if (variable.kind === 'ordered') {
    const { format } = variable;
    if (format.type === 'number') return numberOf(text, format);
    return isOfWholeNumbers(format) ? Number(text) : text;
  }
  const { labels } = variable;
  if (!labels.includes(text)) return text;
  if (labels.every((label) => label === 'True' || label === 'False')) return text === 'True';
  return labels.every((label) => String(Number(label)) === label.replace(/\.0$/, '')) ? Number(text) : text;
}
