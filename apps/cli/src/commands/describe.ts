import { openTable, profileTable, tableOf, writeValue, type RawTable } from '@orchard/dataset';
import type { Table, Variable } from '@orchard/contracts';
import type { Command } from 'commander';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { addTableOptions, tableFileOptions, tableOptions, type TableWords } from '../options/table-options.js';
import { count, counted, table as columnsTable } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';

export function addDescribeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('describe')
    .description('Show what would be learned of a table: each column, what it is taken for, its values and holes.')
    .argument('<FILE>', 'a table; - is standard input');
  addOutputOptions(addTableOptions(addDatasetOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard describe table.csv', ''],
        ['orchard describe table.csv --type zip=categorical', 'as it would be with that option'],
      ]),
    )
    .action(async (file: string, options: DatasetOptions & TableWords) => describe(file, options, terminal));
}

async function describe(file: string, options: DatasetOptions & TableWords, terminal: Terminal): Promise<void> {
  const raw = await openTable(file, tableFileOptions(options));
  try {
    const said = tableOptions(options, (note) => terminal.note(`orchard: ${note}`));
    const profile = await profileTable(raw, said);
    const table = await tableOf(raw, profile, null, said);
    const described = table.variables.map((variable) => ({
      ...describeVariable(variable),
      warnings: warningsOf(variable),
    }));
    show(raw, profile.rows, table, described, terminal);
    terminal.document({
      file: raw.name,
      format: raw.format,
      rows: profile.rows,
      notes: raw.notes,
      variables: described,
      leftOut: table.leftOut,
    });
  } finally {
    await raw.close();
  }
}

interface Described {
  readonly name: string;
  readonly kind: string;
  readonly values: string;
  readonly distinct: number;
  readonly holes: number;
  readonly warnings: readonly string[];
}

function describeVariable(variable: Variable): Omit<Described, 'warnings'> {
  const { name, kind, holes } = variable;
  if (kind !== 'ordered') {
    const shown = variable.labels.slice(0, 4).join(', ');
    const values = `${shown}${variable.labels.length > 4 ? ', …' : ''}`;
    return { name, kind, values, distinct: variable.labels.length, holes };
  }
  const [least, greatest] = variable.range.map((value) => writeValue(value, variable.format));
  const cells = variable.measure === 'mass' ? 'values' : 'bins';
  return {
    name,
    kind,
    values: `${least!} to ${greatest!}, ${String(variable.values.length)} ${cells}`,
    distinct: variable.values.length,
    holes,
  };
}

function warningsOf(variable: Variable): string[] {
  const warnings: string[] = [];
  const isConstant = variable.counts.filter((rows) => rows > 0).length === 1 && variable.holes === 0;
  if (isConstant) warnings.push('constant');
  if (variable.kind === 'categorical' && variable.labels.length > 100)
    warnings.push(`${String(variable.labels.length)} labels`);
  if (variable.kind === 'categorical' && variable.others > 0)
    warnings.push(`${count(variable.others)} rows of other labels become "(other)"`);
  return warnings;
}

function show(raw: RawTable, rows: number, table: Table, described: readonly Described[], terminal: Terminal): void {
  terminal.result(`${raw.name}: ${raw.format}, ${counted(rows, 'row')}`);
  raw.notes.forEach((note) => terminal.result(note));
  terminal.result(
    columnsTable(
      ['column', 'kind', 'holes', 'values', ''],
      described.map(({ name, kind, holes, values, warnings }) => [
        name,
        kind,
        holes === 0 ? '' : count(holes),
        values,
        warnings.join(', '),
      ]),
    ),
  );
  for (const { name, why } of table.leftOut) terminal.result(`${name} is left out: ${why}`);
}
