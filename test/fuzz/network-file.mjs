// Damages a network file in many ways and reads each: every one has to end in a network or a typed error, soon and in little
// memory. `node test/fuzz/network-file.mjs [--count 100000] [--seed 1] [--from 0] [--file network.msgpack]`
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { defaultServerConditions, runnerImport } from 'vite';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    file: { type: 'string' },
  },
});
const [count, seed, from] = [options.count, options.seed, options.from].map(Number);
const SLOWEST_MS = 2000;
const MOST_BYTES = 512 * 2 ** 20;

/** The library's sources, so that the suites which the package does not ship can be had too. */
async function load(path) {
  const conditions = ['@orchard/source', ...defaultServerConditions];
  const url = new URL(`../../libs/model/src/${path}`, import.meta.url);
  return (await runnerImport(url.pathname, { ssr: { resolve: { conditions } }, logLevel: 'error' })).module;
}
const { fuzzSeedFile, readDamaged } = await load('mutation.suite.ts');

const file = options.file ? new Uint8Array(readFileSync(options.file)) : fuzzSeedFile();
const outcomes = {};
let slowest = 0;
let mostMemory = 0;
for (let index = from; index < from + count; index++) {
  const started = performance.now();
  let outcome;
  try {
    outcome = readDamaged(file, seed, index);
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
console.log(`${count} mutations of ${file.length} bytes, seed ${seed}: ${JSON.stringify(outcomes)}`);
console.log(`slowest ${slowest.toFixed(0)} ms, most memory ${(mostMemory / 2 ** 20).toFixed(0)} MiB`);
