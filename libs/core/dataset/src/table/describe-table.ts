import type { Equality, LeftOut, Table, Variable } from '@orchard/contracts';
import { count } from '@orchard/refusal';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { assignRows, rowsOfShare } from '../rows/split.js';
import { keptTable } from '../table-files/kept-columns.js';
import { markedTable, type RawTable } from '../table-files/raw-table.js';
import { writeValue } from '../variables/cell-values.js';
import { valueCount } from '../variables/codes.js';
import { gridWords } from '../variables/value-grid.js';
import { encodeTable } from './encode-table.js';
import { profileTable, tableOf, type TableOptions } from './infer-table.js';
import { accountedTable } from './profile-memory.js';
import { withTellingCuts } from './telling-cuts.js';

/** A column that would be learned. */
export interface DescribedVariable {
  readonly name: string;
  readonly kind: Variable['kind'];
  /** In words: the first labels, or the range and how many values or bins it has. */
  readonly values: string;
  /** Labels, values or bins. */
  readonly distinct: number;
  /** Rows without a value. */
  readonly holes: number;
  readonly warnings: readonly string[];
}

/** What would be learned of a table. */
export interface TableDescription {
  readonly rows: number;
  /** What was found out and decided in reading it, one sentence each. */
  readonly notes: readonly string[];
  readonly variables: readonly DescribedVariable[];
  readonly leftOut: readonly LeftOut[];
  /** Some of the rows as codes; null where none are asked for, or none can validate. */
  readonly sample: TableSample | null;
}

/** Rows that are drawn at random, a tenth of which validates. */
export interface TableSample {
  readonly train: BitMatrix;
  readonly valid: BitMatrix;
}

/** Of a label, which may be a whole text, so many characters are shown. */
const SHOWN_OF_LABEL = 40;
/** Values with a mass of their own that are named. */
const SHOWN_ATOMS = 4;
/** Beyond so many labels a column is warned about. */
const MANY_LABELS = 100;

export interface DescribeOptions extends TableOptions {
  /** Called with memory before it is taken, in bytes; may refuse it by throwing. */
  readonly onMemory?: (bytes: number) => void;
  /** How many rows the sample has at most. @default no sample */
  readonly sampleRows?: number | undefined;
}

/** Of the rows of a sample, as of those of a run. */
const SAMPLE_FRACTIONS = { valid: 0.1 };
const SAMPLE_SEED = 0;

/**
 * Looks through a table: two passes at most, and its first rows once more.
 * @throws DatasetError for a file that cannot be learned from
 */
export async function describeTable(raw: RawTable, options: DescribeOptions): Promise<TableDescription> {
  const { onMemory } = options;
  const marked = markedTable(raw);
  const looked = keptTable(onMemory === undefined ? marked : accountedTable(marked, onMemory));
  try {
    return await lookThrough(looked, options);
  } finally {
    await looked.discard();
  }
}

async function lookThrough(raw: RawTable, options: DescribeOptions): Promise<TableDescription> {
  const profile = await profileTable(raw, options);
  const sampled = new Set<string>();
  const onSampled = (column: string): unknown => sampled.add(column);
  const doubts: { readonly column: string; readonly warning: string }[] = [];
  const onDoubt = (column: string, warning: string): unknown => doubts.push({ column, warning });
  // what notes say, warnings beside the column do
  const told = { ...options, onNote: undefined, onSampled, onDoubt };
  const table = await tableOf(raw, profile, null, told);
  const { variables, leftOut, mended = [], equalities = [], sums = [] } = table;
  return {
    sample: await sampleOf(raw, table, profile.rows, options.sampleRows ?? 0),
    rows: profile.rows,
    notes: raw.notes,
    variables: variables.map((variable) =>
      describeVariable(variable, sampled.has(variable.name), [
        ...doubts.filter(({ column }) => column === variable.name).map(({ warning }) => warning),
        mended.find(({ name }) => name === variable.name)?.how,
        equalityWords(equalities.find(({ other }) => other === variable.name)),
        ...sums.filter(({ total }) => total === variable.name).map(({ parts }) => `near ${parts.join(' + ')}`),
      ]),
    ),
    leftOut,
  };
}

async function sampleOf(raw: RawTable, table: Table, rows: number, most: number): Promise<TableSample | null> {
  const taken = Math.min(rows, most);
  const valid = rowsOfShare(taken, SAMPLE_FRACTIONS.valid);
  if (valid === 0) return null;
  const splitOf = assignRows(rows, { ...SAMPLE_FRACTIONS, rows: taken }, SAMPLE_SEED);
  const [train, held] = await encodeTable(raw, table, [taken - valid, valid], { splitOf, refine: withTellingCuts });
  return { train: train!.matrix, valid: held!.matrix };
}

function equalityWords(equality: Equality | undefined): string | undefined {
  return equality && `often the same as ${equality.one}`;
}

function describeVariable(
  variable: Variable,
  isSampled: boolean,
  remarks: readonly (string | undefined)[],
): DescribedVariable {
  const { name, kind, holes } = variable;
  const warnings = warningsOf(variable);
  if (isSampled) warnings.push('range and bins of a sample of its rows');
  for (const remark of remarks) if (remark !== undefined) warnings.push(remark);
  if (variable.kind !== 'ordered') {
    const shown = variable.labels.slice(0, 4).map(beginning).join(', ');
    const values = `${shown}${variable.labels.length > 4 ? ', …' : ''}`;
    return { name, kind, values, distinct: variable.labels.length, holes, warnings };
  }
  const [least, greatest] = variable.range.map((value) => writeValue(value, variable.format));
  const distinct = valueCount(variable);
  const atoms = variable.atoms?.values ?? [];
  const beside =
    atoms.length === 0
      ? ''
      : ` beside the ${atoms.length === 1 ? 'value' : 'values'} ${atoms
          .slice(0, SHOWN_ATOMS)
          .map((value) => writeValue(value, variable.format))
          .join(', ')}${atoms.length > SHOWN_ATOMS ? ', …' : ''}`;
  const steps = gridWords(variable);
  const values =
    least === greatest
      ? least!
      : `${least!} to ${greatest!}, ${variable.values.length} ${variable.measure === 'mass' ? 'values' : 'bins'}${beside}${steps === null ? '' : `, ${steps}`}`;
  return { name, kind, values, distinct, holes, warnings };
}

function beginning(label: string): string {
  const characters = [...label.slice(0, 2 * SHOWN_OF_LABEL)];
  return characters.length > SHOWN_OF_LABEL || label.length > 2 * SHOWN_OF_LABEL
    ? `${characters.slice(0, SHOWN_OF_LABEL - 1).join('')}…`
    : label;
}

function warningsOf(variable: Variable): string[] {
  const warnings: string[] = [];
  const isConstant = variable.counts.filter((rows) => rows > 0).length === 1 && variable.holes === 0;
  if (isConstant) warnings.push('constant');
  if (variable.kind !== 'categorical') return warnings;
  if (variable.labels.length > MANY_LABELS) warnings.push(`${variable.labels.length} labels`);
  if (variable.others > 0) warnings.push(`${count(variable.others)} rows of other labels become "(other)"`);
  return warnings;
}
