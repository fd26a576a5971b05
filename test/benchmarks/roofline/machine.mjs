// What this machine can do at most, by loops that have nothing else in them.
import asc from 'assemblyscript/asc';

/** Of each array of the triad: far more than any cache holds. */
const TRIAD_BYTES = 2 ** 26;
const PAGE = 2 ** 16;
/** Where the cells lie that are added to; behind the lists. */
const CELLS_AT = 3 * TRIAD_BYTES;
/** Steps of a loop in one repetition, at least. */
const STEPS = 2e7;

/** A cell has 16 bytes: residual and weight. */
const CELL_BYTES = 16;
/** Patterns lie in blocks, of which each bundle's codes are side by side (libs/core/kernel, codes.ts). */
const BLOCK = 16;
/** From one bundle's table to the next (libs/core/kernel, bundles.ts). */
const FIELD_TABLE_BYTES = (256 + 4) * CELL_BYTES;

/**
 * STREAM's triad; additions of a pair of numbers to the cells of a table, one for each entry of a list, as the kernel's
 * root makes them; and the scores of candidates as the search for a split has them (split.ts).
 */
const loops = `
export function triad(to: usize, one: usize, other: usize, bytes: usize): void {
  const factor = f64x2.splat(3.0);
  for (let at: usize = 0; at < bytes; at += 16)
    v128.store(to + at, f64x2.add(v128.load(one + at), f64x2.mul(factor, v128.load(other + at))));
}
export function add(entries: usize, count: usize, table: usize): void {
  const pair = f64x2.splat(1.0);
  for (let at = entries, end = entries + (count << 1); at < end; at += 8) {
    for (let next: usize = 0; next < 8; next += 2) {
      const cell = table + (<usize>load<u16>(at + next) << 4);
      v128.store(cell, f64x2.add(v128.load(cell), pair));
    }
  }
}
export function score(sums: usize, count: usize, scores: usize): f64 {
  const one = f64x2.splat(1.0);
  const all = f64x2.splat(8.0);
  let largest = f64x2.splat(0.0);
  for (let at = sums, end = sums + (count << 4); at < end; at += 32, scores += 16) {
    const s1 = v128.shuffle<f64>(v128.load(at), v128.load(at, 16), 0, 2);
    const w1 = v128.shuffle<f64>(v128.load(at), v128.load(at, 16), 1, 3);
    const s0 = f64x2.sub(one, s1);
    const w0 = f64x2.sub(all, w1);
    const squares = f64x2.add(f64x2.mul(f64x2.mul(s0, s0), w1), f64x2.mul(f64x2.mul(s1, s1), w0));
    const may = f64x2.ge(f64x2.pmin(w0, w1), one);
    const score = v128.and(f64x2.div(squares, f64x2.mul(w0, w1)), may);
    v128.store(scores, score);
    largest = f64x2.pmax(largest, score);
  }
  return max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
}`;

/** Additions by the codes of so many bundles, written out one by one. */
const codesLoop = (bundles) => `
export function addCodes(codes: usize, patterns: usize, gradients: usize, tables: usize): void {
  for (let pattern: usize = 0; pattern < patterns; pattern++, gradients += 16) {
    const gradient = v128.load(gradients);
    const at = codes + (pattern & ~${BLOCK - 1}) * ${bundles} + (pattern & ${BLOCK - 1});
    let cell: usize = 0;
${Array.from(
  { length: bundles },
  (_, bundle) => `    cell = tables + (<usize>load<u8>(at, ${bundle * BLOCK}) << 4);
    v128.store(cell, f64x2.add(v128.load(cell, ${bundle * FIELD_TABLE_BYTES}), gradient), ${bundle * FIELD_TABLE_BYTES});
`,
).join('')}  }
}`;

async function compiled(source, memory) {
  let bytes = null;
  const { error, stderr } = await asc.main(
    'loops.ts --enable simd --runtime stub -O3 --importMemory --outFile loops.wasm'.split(' '),
    {
      readFile: (name) => (name === 'loops.ts' ? source : null),
      writeFile: (name, contents) => void (bytes = contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory, abort: () => {} } });
  return instance.exports;
}

/** The least processor time of several, milliseconds. */
export function leastTime(repeats, work) {
  const times = Array.from({ length: repeats }, () => {
    const { user, system } = process.cpuUsage();
    work();
    const after = process.cpuUsage({ user, system });
    return (after.user + after.system) / 1000;
  });
  return Math.min(...times);
}

/** @param {number} repeats of each loop, of which the fastest counts */
export async function measuredMachine(repeats) {
  const memory = new WebAssembly.Memory({ initial: (4 * TRIAD_BYTES) / PAGE });
  const { triad, add, score } = await compiled(loops, memory);
  const bytes = TRIAD_BYTES - PAGE;
  const moved = leastTime(repeats, () => triad(PAGE, PAGE + TRIAD_BYTES, PAGE + 2 * TRIAD_BYTES, bytes));

  /** Nanoseconds of a step of a loop that makes so many. */
  function nanosecondsOf(steps, loop) {
    const passes = Math.ceil(STEPS / steps);
    const time = leastTime(repeats, () => {
      for (let pass = 0; pass < passes; pass++) loop();
    });
    return (1e6 * time) / passes / steps;
  }

  function fits(count, room) {
    if (count > room) throw new Error(`A list of ${count} bytes, where ${room} fit.`);
  }

  return {
    /** Bytes a nanosecond. */
    bandwidth: (3 * bytes) / moved / 1e6,

    /** Nanoseconds of an addition to a table that these entries, u16, point into. */
    nanosecondsByEntries(entries) {
      const list = Uint16Array.from(entries.slice(0, entries.length - (entries.length % 4)));
      fits(list.byteLength, CELLS_AT - PAGE);
      new Uint16Array(memory.buffer, PAGE, list.length).set(list);
      return nanosecondsOf(list.length, () => add(PAGE, list.length, CELLS_AT));
    },

    /** The same by the codes of patterns, below 256, of each as many as there are bundles. */
    async nanosecondsByCodes(patterns) {
      const bundles = patterns[0].length;
      const { addCodes } = await compiled(codesLoop(bundles), memory);
      const gradients = PAGE + Math.ceil(patterns.length / BLOCK) * BLOCK * bundles;
      const start = Math.ceil(gradients / CELL_BYTES) * CELL_BYTES;
      fits(start + patterns.length * CELL_BYTES, CELLS_AT);
      const lists = new Uint8Array(memory.buffer, PAGE);
      patterns.forEach((codes, pattern) => {
        const block = (pattern - (pattern % BLOCK)) * bundles + (pattern % BLOCK);
        codes.forEach((code, bundle) => (lists[block + bundle * BLOCK] = code));
      });
      return nanosecondsOf(patterns.length * bundles, () => addCodes(PAGE, patterns.length, start, CELLS_AT));
    },

    /** Of the score of one of so many candidates. */
    nanosecondsByScores(candidates) {
      const count = candidates + (candidates % 2);
      fits(count * CELL_BYTES, TRIAD_BYTES);
      new Float64Array(memory.buffer, CELLS_AT, 2 * count).fill(2);
      return nanosecondsOf(count, () => score(CELLS_AT, count, PAGE));
    },
  };
}
