import { isTabular, type DensityModel, type Explained } from '@orchard/model';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';

/** As many pixels as an image of 64 x 64 has. */
const MOST_SHARES = 4096;

export const importanceAnswerSchema = z.strictObject({
  column: z.int().min(0),
  name: z.string().nullable(),
  columns: z.int().min(1).meta({ description: 'how many there are' }),
  shares: z
    .array(z.strictObject({ column: z.int().min(0), name: z.string().nullable(), share: z.number().min(0) }))
    .meta({ description: 'of what the model knows of the column, the largest first; at most 4096, none that is 0' }),
});

export type ImportanceAnswer = z.infer<typeof importanceAnswerSchema>;

/** What a column is predicted from. @throws CoordinatorError `over-limit` for a column or a model that has no answer */
export function importanceOf(model: DensityModel, question: unknown): ImportanceAnswer {
  const { column } = question as { readonly column: number };
  if (!hasImportance(model)) throw noImportance(model);
  const names = isTabular(model) ? model.table.variables.map(({ name }) => name) : model.names;
  const columns = isTabular(model) ? model.variables : model.dimensions;
  if (column >= columns) throw unknownColumn(column, columns);
  const shares = Array.from(model.importanceOf(column), (share, at) => ({
    column: at,
    name: names?.[at] ?? null,
    share,
  }));
  const known = shares.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  return { column, name: names?.[column] ?? null, columns, shares: known.slice(0, MOST_SHARES) };
}

function hasImportance(model: DensityModel): model is DensityModel & Pick<Explained, 'importanceOf'> {
  return 'importanceOf' in model;
}

function noImportance({ family }: DensityModel): CoordinatorError {
  return new CoordinatorError('over-limit', {
    got: `a model of the family ${family}`,
    expected: 'one whose columns are predicted from others',
    remedy: 'Ask a run of another kind of model.',
  });
}

function unknownColumn(column: number, columns: number): CoordinatorError {
  return new CoordinatorError('over-limit', {
    got: `column ${String(column)}`,
    expected: `one of 0 to ${String(columns - 1)}`,
    where: 'query, "column"',
    remedy: 'Correct the number.',
  });
}
