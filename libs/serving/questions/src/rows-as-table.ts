import type { RawCell, RawTable } from '@orchard/dataset';
import { asTabular, isBound, type DensityModel, type TabularModel } from '@orchard/model';
import { QuestionError } from './errors.js';
import { cellsOf, wordFor } from './encode-rows.js';
import type { Row } from './row-documents.js';

/**
 * A model that is asked as that of a table, one of rows of 0 and 1 too.
 *
 * @param question what it is asked
 * @throws QuestionError for a model whose likelihoods are bounds, which has no probabilities of cells
 */
export function askedAsTable(model: DensityModel, question: string): TabularModel {
  if (!isBound(model)) return asTabular(model);
  throw new QuestionError('invalid-request', {
    got: 'a model whose likelihoods are lower bounds',
    expected: 'a model that says how likely a cell is, given all others',
    where: question,
    remedy: 'Ask a model of another kind.',
  });
}

/** Rows of a request as a table of the model's columns. */
export function tableOf(model: TabularModel, rows: readonly Row[], names: readonly string[] | undefined): RawTable {
  const columns = model.table.variables.map(({ name }) => name);
  const cells: RawCell[][] = columns.map(() => []);
  for (const [at, row] of rows.entries()) {
    const cellIn = cellsOf(model, row, names, at);
    for (const [index, name] of columns.entries()) cells[index]!.push(cellIn(name, index) ?? null);
  }
  const batch = { rows: rows.length, columns: cells };
  return {
    name: 'rows',
    format: 'jsonl',
    columns,
    hasHeader: true,
    notes: [],
    wordFor,
    batches: async function* () {
      yield await Promise.resolve(batch);
    },
    close: () => Promise.resolve(),
  };
}
