import { describeTable, type RawTable, type TableDescription } from '@orchard/dataset';
import type { Command } from 'commander';
import { UsageError } from '../errors.js';
import { loadNetwork } from '../models/load-network.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { addTableOptions, refuseWordsOfBits, tableOptions, type TableWords } from '../options/table-options.js';
import { count, counted, table as columnsTable } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { openTableFile } from '../tables/load-table-rows.js';
import { ownCommand } from '../version.js';

export function addDescribeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('describe')
    .description('Show how the columns of a table would be read: their types, values and missing values.')
    .argument('<FILE>', 'a table; - reads standard input');
  addOutputOptions(addDatasetOptions(addTableOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard describe table.csv', ''],
        ['orchard describe table.csv --type zip=categorical', 'with another type'],
      ]),
    )
    .action(async (file: string, options: DatasetOptions & TableWords) => describe(file, options, terminal));
}

async function describe(file: string, options: DatasetOptions & TableWords, terminal: Terminal): Promise<void> {
  refuseWordsOfBits(options);
  const raw = await openTableFile(file, options).catch(async (error: unknown) => {
    await refuseModel(file);
    throw error;
  });
  try {
    const said = tableOptions(options, (note) => terminal.note(`orchard: ${note}`));
    const description = await describeTable(raw, said);
    show(raw, description, terminal);
    terminal.document({ file: raw.name, format: raw.format, ...description });
  } finally {
    await raw.close();
  }
}

/** @throws UsageError for a model or its folder, which other commands describe */
async function refuseModel(file: string): Promise<void> {
  const loaded = file === '-' ? null : await loadNetwork(file).catch(() => null);
  if (loaded === null) return;
  throw new UsageError({
    got: `${file}, a model of the family ${loaded.network.family}`,
    expected: 'a table, as CSV or Parquet',
    where: 'FILE',
    remedy: `${ownCommand} inspect ${file} says what it is; sample, evaluate and complete ask it.`,
  });
}

function show(raw: RawTable, { rows, notes, variables, leftOut }: TableDescription, terminal: Terminal): void {
  terminal.result(`${raw.name}: ${raw.format}, ${counted(rows, 'row')}`);
  notes.forEach((note) => terminal.result(note));
  terminal.result(
    columnsTable(
      ['column', 'kind', 'missing', 'values', ''],
      variables.map(({ name, kind, holes, values, warnings }) => [
        name,
        kind,
        holes === 0 ? '' : count(holes),
        values,
        warnings.join(', '),
      ]),
    ),
  );
  for (const { name, why } of leftOut) terminal.result(`${harmlessLine(name)} is left out: ${why}`);
}
