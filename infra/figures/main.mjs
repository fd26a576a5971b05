// npm run figures: writes the tables that are made of data, test/benchmarks/measured/*.json, into their pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readCommandLine, runPlainly } from '../command-line.mjs';
import { figuresOfPages, withTable } from './table-of-figures.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

readCommandLine(
  'figures',
  `npm run figures

Writes the tables whose figures are in test/benchmarks/measured/*.json, with the command, the commit, the machine and
the date of each, into the pages that these files name. A test compares the pages with the data.

  --help        this`,
);

await runPlainly('figures', async () => {
  for (const [name, table] of figuresOfPages()) {
    const path = join(root, table.page);
    const before = readFileSync(path, 'utf8');
    const options = { ...(await resolveConfig(path)), filepath: path };
    const page = await format(withTable(before, table), options);
    if (page !== before) writeFileSync(path, page);
    console.log(`${table.page}: ${page === before ? 'is' : 'now'} as ${name} has it`);
  }
});
