// npm run python: the wheel of this clone, and the one line that installs it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../command-line.mjs';
import { needsPython, packWheel } from './wheel.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const usage = `npm run python

Builds the wheel of orchard-density, with the command line inside, into dist, and prints the line that installs it, with
pandas and matplotlib for its pictures. Run that line in the Python environment that is to have it. It needs Python 3.10
or later with pip, and PyPI.

  --help        this`;

readCommandLine('python', usage);

await runPlainly('python', async () => {
  const out = join(root, 'dist');
  mkdirSync(out, { recursive: true });
  // inside the clone, where the declarations of the libs are found from
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(join(cache, 'orchard-python-'));
  try {
    const wheel = await packWheel(staging, out);
    if (wheel === null) throw new Error(needsPython);
    console.log(`pip install '${wheel}[plot]'`);
  } finally {
    rmSync(staging, { recursive: true });
  }
});
