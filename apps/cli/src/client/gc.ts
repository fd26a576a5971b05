import { age } from '../options/times.js';
import { bytes, count, table } from '../output/figures.js';
import { declareServerCommand } from './commands.js';
import type { Garbage } from './documents.js';
import { option } from '../options/option.js';

const DAY = 86_400;

const gcOptions = () => [
  option('--remove', 'remove what is listed'),
  option('--older-than <age>', 'keep what is younger: 90s, 30m, 12h, 7d', age, DAY, '1d'),
];

export const addGcCommand = declareServerCommand(
  {
    name: 'gc',
    description:
      'List data that no run uses: data sets, leftovers of runs, unfinished uploads; with --remove, remove it.',
    options: gcOptions,
    examples: [
      ['orchard gc', 'list'],
      ['orchard gc --remove', 'remove'],
      ['orchard gc --older-than 30d', 'unused for a month'],
      ['orchard gc --older-than 0s', 'also what a client may be about to use'],
    ],
  },
  async (client, { remove = false, olderThan }, terminal) => {
    const { leftovers, uploads, datasets } = await client.garbage(olderThan, remove);
    terminal.result(describe({ leftovers, uploads, datasets }));
    if (olderThan > 0) terminal.note('orchard: what is younger than --older-than (default: 1d) is left alone');
    const ids = datasets.map(({ id }) => id);
    terminal.document({ datasets: ids, leftovers, uploads, removed: remove, olderThanSeconds: olderThan });
  },
);

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
