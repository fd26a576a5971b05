// A run of very many columns to its end, on a laptop and through a cluster: whether their bytes are equal, and what a
// tiny task costs there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from './machine.mjs';
import { noise } from './noise.mjs';
import { trainHere, trainThere } from './overhead.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

/** Few, so that nothing but the number of columns makes it long. */
const ROWS = 24;

/** @param {{ columns: number, say: (line: string) => void }} options */
export async function measureWide({ columns, say }) {
  const folder = temporaryFolder('wide');
  const [train, valid] = [1, 2].map((seed) => {
    const path = join(folder, `${seed}.csv`);
    writeFileSync(path, textOf(noise(ROWS, columns, seed)));
    return path;
  });
  const options = ['--preset', 'paper', '--leaves', '2', '--rounds', '1', '--no-refit'];
  const words = [train, '--valid', valid, ...options];
  const loadBefore = load();
  const here = await trainHere(words);
  say(`wide: ${columns} columns here in ${here.seconds.toFixed(1)} s`);
  const there = await trainThere(words, say);
  say(`wide: ${columns} columns there in ${there.seconds.toFixed(1)} s`);
  return {
    columns,
    rows: ROWS,
    isEqual: here.network === there.network,
    sha256: here.network,
    here: { seconds: here.seconds, processorSeconds: here.processorSeconds },
    there,
    wallMillisecondsPerJob: (1000 * (there.seconds - here.seconds)) / there.jobs,
    processorMillisecondsPerJob: (1000 * (there.processorSeconds - here.processorSeconds)) / there.jobs,
    load: [loadBefore, load()],
  };
}

function textOf(matrix) {
  const lines = [];
  for (let row = 0; row < matrix.rows; row++)
    lines.push(Array.from({ length: matrix.dimensions }, (_, dim) => matrix.get(row, dim)).join());
  return `${lines.join('\n')}\n`;
}
