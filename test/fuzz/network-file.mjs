// npm run fuzz: damages a network file in many ways and reads each: every one has to end in a network or a typed error,
// soon and in little memory.
import { readFileSync } from 'node:fs';
import { defaultServerConditions, runnerImport } from 'vite';
import { readCommandLine } from '../../infra/command-line.mjs';

const usage = `npm run fuzz [-- options]

  --count N     damaged files (100000)
  --seed N      of how they are damaged (1)
  --from N      the first of them, to go on or to see one again (0)
  --file PATH   the network file (small ones with everything in them, of version 2 and 1 in turn)`;

const text = { type: 'string' };
const given = readCommandLine('fuzz', usage, { count: text, seed: text, from: text, file: text });
const count = given.whole('count', { from: 1, otherwise: 100_000 });
const seed = given.whole('seed', { otherwise: 1 });
const from = given.whole('from', { otherwise: 0 });
const network = given.values.file === undefined ? null : read(given.values.file);
const SLOWEST_MS = 2000;
const MOST_BYTES = 512 * 2 ** 20;

function read(path) {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    return given.refuse(`got --file ${path}, which cannot be read: ${error.code}.`);
  }
}

/** The library's sources, so that the suites which the package does not ship can be had too. */
async function load(path) {
  const conditions = ['@orchard/source', ...defaultServerConditions];
  const url = new URL(`../../libs/core/model/src/${path}`, import.meta.url);
  return (await runnerImport(url.pathname, { ssr: { resolve: { conditions } }, logLevel: 'error' })).module;
}
const { fuzzSeedFiles, readDamaged } = await load('mutation.suite.ts');

const files = network === null ? fuzzSeedFiles() : [network];
const outcomes = {};
let slowest = 0;
let mostMemory = 0;
for (let index = from; index < from + count; index++) {
  const started = performance.now();
  let outcome;
  try {
    outcome = readDamaged(files[index % files.length], seed, Math.floor(index / files.length));
  } catch (error) {
    console.error(`mutation ${index} of seed ${seed} ended in an untyped error:`, error);
    process.exit(1);
  }
  const milliseconds = performance.now() - started;
  if (milliseconds > SLOWEST_MS) {
    console.error(`mutation ${index} of seed ${seed} took ${milliseconds.toFixed(0)} ms`);
    process.exit(1);
  }
  slowest = Math.max(slowest, milliseconds);
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  if (index % 256 === 0) {
    mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
    if (mostMemory > MOST_BYTES) {
      console.error(`at mutation ${index} of seed ${seed} the process holds ${(mostMemory / 2 ** 20).toFixed(0)} MiB`);
      process.exit(1);
    }
  }
}
const sizes = files.map((file) => file.length).join(' and ');
console.log(`${count} mutations of ${sizes} bytes, seed ${seed}: ${JSON.stringify(outcomes)}`);
console.log(`slowest ${slowest.toFixed(0)} ms, most memory ${(mostMemory / 2 ** 20).toFixed(0)} MiB`);
