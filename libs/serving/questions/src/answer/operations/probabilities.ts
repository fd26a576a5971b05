import { parseContract, seedSchema } from '@orchard/contracts';
import { codeCount, holeCode, otherCode, wordsOf, type BitMatrix } from '@orchard/dataset';
import { asTabular, isExactOfTable, PARTICLES_OF_TABLES, type DensityModel, type TabularModel } from '@orchard/model';
import { z } from 'zod';
import { labelled, rowsSchema } from '../rows.js';
import { codedRows } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  seed: seedSchema.default(0),
  samples: z.int().min(1).max(65_536).optional(),
  draws: z.int().min(1).max(10_000).default(200),
});

/** A value that a missing one may be. */
interface Possible {
  readonly row: number;
  readonly column: number;
  readonly value: string;
  readonly probability: number;
}

/**
 * What each missing value may be, and how likely, the more probable first: exactly where the model can (`exact`), else
 * by completions.
 */
export const probabilities: Operation = async (model, question) => {
  const asked = parseContract(questionSchema, question, 'probabilities question');
  const { possible, exact } = await found(model, asked);
  const { labels, places } = labelled(
    'value',
    possible.map(({ value }) => value),
  ) as { labels: string[]; places: Int32Array };
  return {
    exact,
    row: Int32Array.from(possible, ({ row }) => row),
    column: Int32Array.from(possible, ({ column }) => column),
    value: { labels, places },
    probability: Float64Array.from(possible, ({ probability }) => probability),
  };
};

type Asked = z.infer<typeof questionSchema>;
type Found = { readonly possible: readonly Possible[]; readonly exact: boolean };

async function found(asked: DensityModel, { rows, seed, samples = PARTICLES_OF_TABLES, draws }: Asked): Promise<Found> {
  const model = asTabular(asked);
  const { matrix, known, misfits } = await codedRows(model, rows, { missing: 'unknown' });
  const shares = isExactOfTable(model)
    ? model.distributions(matrix, known).probabilities
    : sharesOf(
        model,
        model.completions(matrix, known, { seed, samples, draws, forCells: true }).map((one) => one.matrix),
      );
  const possible: Possible[] = [];
  for (let row = 0; row < matrix.rows; row++)
    model.table.variables.forEach((variable, column) => {
      if (known.get(row, model.offsets[column]!) === 1 || misfits.has(row * model.variables + column)) return;
      const codes = codeCount(variable);
      const own = shares[column]!.subarray(row * codes, (row + 1) * codes);
      [...own.keys()]
        .filter((code) => own[code]! > 0 && code !== holeCode(variable) && code !== otherCode(variable))
        .sort((a, b) => own[b]! - own[a]! || a - b)
        .forEach((code) => possible.push({ row, column, value: wordsOf(variable, code), probability: own[code]! }));
    });
  return { possible, exact: isExactOfTable(model) };
}

/** How often each code came up, by variable: element `row * codes + code`. */
function sharesOf(model: TabularModel, matrices: readonly BitMatrix[]): Float64Array[] {
  const rows = matrices[0]!.rows;
  return model.table.variables.map((variable, index) => {
    const codes = codeCount(variable);
    const shares = new Float64Array(rows * codes);
    for (const matrix of matrices)
      for (let row = 0; row < rows; row++)
        shares[row * codes + model.codeOf(matrix, row, index)]! += 1 / matrices.length;
    return shares;
  });
}
