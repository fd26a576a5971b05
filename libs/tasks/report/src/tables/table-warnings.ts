import type { Table, Variable } from '@orchard/contracts';
import { codeOffsets, OTHER, otherCode, readCodes, trainingCounts, valueCount, type BitMatrix } from '@orchard/dataset';

/** From so many labels on a column is more likely a name than a category. */
const MANY_LABELS = 100;
/** Fewer held-out rows say little. */
const FEW_ROWS = 100;
/** Columns that a warning names. */
const NAMED = 8;

/** What to know of a table's columns before the figures are believed. */
export function tableWarnings(table: Table, heldOut: BitMatrix, split: 'test' | 'validation'): readonly string[] {
  const { variables } = table;
  const offsets = codeOffsets(table);
  const found = (when: (variable: Variable, index: number) => string | null): readonly string[] =>
    variables.flatMap((variable, index) => when(variable, index) ?? []);
  const constant = found((variable) =>
    trainingCounts(variable).filter((count) => count > 0).length <= 1 ? quoted(variable) : null,
  );
  const many = found((variable) =>
    variable.kind === 'categorical' && variable.labels.length >= MANY_LABELS
      ? `${quoted(variable)} (${String(variable.labels.length)})`
      : null,
  );
  const beyond = found((variable) =>
    variable.kind === 'categorical' && variable.others > 0
      ? `${quoted(variable)} (${String(variable.others)} training rows beside ${String(valueCount(variable))} labels)`
      : null,
  );
  const unseen = found((variable, index) => {
    const other = otherCode(variable);
    if (other === null || (variable.kind === 'categorical' && variable.others > 0)) return null;
    const codes = readCodes(heldOut, offsets[index]!, offsets[index + 1]!);
    const rows = codes.reduce((sum, code) => sum + (code === other ? 1 : 0), 0);
    return rows === 0 ? null : `${quoted(variable)} (${rows === 1 ? '1 row' : `${String(rows)} rows`})`;
  });
  return [
    ...(heldOut.rows < FEW_ROWS
      ? [`Only ${String(heldOut.rows)} ${split} rows: the held-out figures may be off by much.`]
      : []),
    ...told(
      (table.mended ?? []).map(({ name, how }) => `${quoted({ name })} (${how})`),
      'Cells that are not read as they stand',
    ),
    ...told(constant, 'The same in all training rows, so that there is nothing to learn'),
    ...told(many, 'Hundreds of labels, each of few rows: names rather than categories'),
    ...told(beyond, `Too many labels to tell apart: the rarest are one value, "${OTHER}"`),
    ...told(unseen, `Values in the ${split} rows that training rows never have, counted as "${OTHER}"`),
  ];
}

function told(columns: readonly string[], what: string): readonly string[] {
  if (columns.length === 0) return [];
  const more = columns.length - NAMED;
  return [`${what}: ${columns.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}.`];
}

function quoted({ name }: Pick<Variable, 'name'>): string {
  return `“${[...name].length > 40 ? `${[...name].slice(0, 39).join('')}…` : name}”`;
}
