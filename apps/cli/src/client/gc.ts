import type { Command } from 'commander';
import { addExamples } from '../options/output-options.js';
import { age } from '../options/times.js';
import { bytes, count, table } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { addServerOptions, connectTo, type ServerOptions } from './commands.js';
import type { Garbage } from './documents.js';
import { option } from '../options/option.js';

interface GcOptions extends ServerOptions {
  readonly remove?: true;
  readonly olderThan: number;
}

const DAY = 86_400;

export function addGcCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('gc')
    .description(
      'List data that no run uses: data sets, leftovers of runs, unfinished uploads; with --remove, remove it.',
    )
    .option('--remove', 'remove what is listed')
    .addOption(
      option('--older-than <age>', 'keep what is younger: 90s, 30m, 12h, 7d', age('--older-than')).default(DAY, '1d'),
    );
  addExamples(addServerOptions(command), [
    ['orchard gc', 'list'],
    ['orchard gc --remove', 'remove'],
    ['orchard gc --older-than 30d', 'unused for a month'],
    ['orchard gc --older-than 0s', 'also what a client may be about to use'],
  ]).action(async (options: GcOptions) => {
    const { remove = false, olderThan } = options;
    const client = await connectTo(options, terminal);
    const { leftovers, uploads, datasets } = await client.garbage(olderThan, remove);
    terminal.result(describe({ leftovers, uploads, datasets }));
    if (olderThan > 0) terminal.note('orchard: what is younger than --older-than (default: 1d) is left alone');
    const ids = datasets.map(({ id }) => id);
    terminal.document({ datasets: ids, leftovers, uploads, removed: remove, olderThanSeconds: olderThan });
  });
}

function describe({ leftovers, uploads, datasets }: Garbage): string {
  const tables: string[] = [];
  if (datasets.length > 0) {
    const rows = datasets.map(({ id, rows: all, dimensions, bytes: size }) => [
      id.slice(0, 12),
      count(all),
      count(dimensions),
      bytes(size),
    ]);
    tables.push(table(['data set', 'rows', 'dimensions', 'size'], rows));
  }
  if (leftovers.length > 0) {
    const rows = leftovers.map(({ run, objects, bytes: size, why }) => [
      run.slice(0, 12),
      count(objects),
      bytes(size),
      why,
    ]);
    tables.push(table(['leftovers of run', 'objects', 'size', 'why'], rows));
  }
  if (uploads.length > 0) {
    const rows = uploads.map(({ dataset, bytes: size }) => [dataset.slice(0, 12), bytes(size)]);
    tables.push(table(['upload that was cut off', 'size'], rows));
  }
  return tables.length === 0 ? 'nothing that no run refers to' : tables.join('\n\n');
}
