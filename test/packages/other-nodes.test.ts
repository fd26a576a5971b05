import { createHash } from 'node:crypto';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main, root } from '../cli/orchard.js';
import { emptyFolder, filesOf, outputIn } from './installed.js';

/** The oldest that is promised, and newer ones: releases of V8 differ in the last bits of some functions. */
const releases = ['20.13.0', '22.20.0', '24.10.0'];
/** Steps of decimals, labels that are rare, dates and missing values; and decisions that no row has taken. */
const models = [
  ['table.csv', '--members', '2', '--rounds', '40'],
  ['table.csv', '--model', 'chow-liu'],
  ['table.csv', '--model', 'sparn'],
  ['rentals.csv', '--members', '1', '--rounds', '10'],
];

let folder: string;

beforeAll(async () => {
  folder = await emptyFolder();
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await writeFile(join(folder, 'table.csv'), table(400));
  await copyFile(join(root, 'apps', 'cli', 'examples', 'rentals.csv'), join(folder, 'rentals.csv'));
  const wanted = releases.map((release) => `node-${release}@npm:node-${process.platform}-${process.arch}@${release}`);
  await outputIn(folder, 'npm', 'install', ...wanted);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function table(rows: number): string {
  const lines = ['step,cents,kind,day,size'];
  for (let row = 0; row < rows; row++) {
    const [one, other] = [(row * 7919) % 101, (row * 104729) % 89];
    const day = `2024-0${1 + (one % 9)}-${10 + (other % 19)}`;
    const kind = row % 57 === 0 ? 'rare' : 'abcd'[(one + other) % 4]!;
    lines.push(
      `${(one / 1e5).toFixed(5)},${(other / 1e4).toFixed(4)},${kind},${day},${row % 11 === 0 ? '' : one + other}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** What a release of Node makes of the tables: of each model, its bytes and what it samples and says of the rows. */
async function madeBy(node: string, release: string): Promise<readonly string[]> {
  const made: string[] = [];
  for (const [at, [rows, ...words]] of models.entries()) {
    const run = `run-${at}-by-${release}`;
    await outputIn(folder, node, main, 'train', rows!, ...words, '--out', run, '--quiet', '--no-report');
    const sampled = await outputIn(folder, node, main, 'sample', run, '--count', '40', '--quiet');
    const scored = await outputIn(folder, node, main, 'evaluate', run, rows!, '--json', '--quiet');
    const model = filesOf(join(folder, run)).get('network.msgpack')!;
    for (const part of [model, sampled, scored]) made.push(`${at} ${createHash('sha256').update(part).digest('hex')}`);
  }
  return made;
}

test('the same tables end in the same bytes by every release of Node', { tags: ['nightly'] }, async () => {
  const here = await madeBy(process.execPath, 'this');
  for (const release of releases) {
    const node = join(folder, 'node_modules', `node-${release}`, 'bin', 'node');
    expect((await outputIn(folder, node, '--version')).trim()).toBe(`v${release}`);
    expect([release, ...(await madeBy(node, release))]).toEqual([release, ...here]);
  }
});
