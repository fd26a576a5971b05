// A process that learns once for every line it is given, and answers with a line: seconds of its processor time, and
// how good what it learned is.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export function learner(program, words) {
  const threads = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...threads } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ${words[0]} ended without an answer`);
    return value;
  };
  return {
    next,
    ask: () => {
      child.stdin.write('again\n');
      return next();
    },
    close: () => child.stdin.end(),
  };
}

/** Milliseconds. */
const WARM = 1000;

/**
 * @typedef {object} Learning what is timed beside its peer
 * @property {() => unknown} learn which alone is timed
 * @property {(learned: any) => number} valueOf how good what it learned is
 */

/**
 * The other end, in this process, which has learned for a second, and at least twice, before it is asked: a run learns
 * hundreds of columns or steps, whose first ones compile the code.
 *
 * @param {Learning} task
 */
export async function answerLines({ learn, valueOf }) {
  const start = performance.now();
  for (let time = 0; time < 2 || performance.now() - start < WARM; time++) learn();
  console.log(`node ${process.version}`);
  const requests = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  while (!(await requests.next()).done) {
    const before = process.cpuUsage();
    const learned = learn();
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1e6, valueOf(learned));
  }
}
