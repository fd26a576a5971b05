import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Family, PlannedTask } from './family.js';
import { bestOfTasks, sumOfTasks, type RisingLikelihood } from './rising-likelihood.js';
import type { Run } from './run.js';
import { StageMeter } from './stage-meter.js';

const facts = { id: '', rows: 4, dimensions: 3, names: null, shape: null };
const run = { id: 'run', datasets: { train: facts, valid: facts, test: null } } as unknown as Run;
// each task counts as twice the one before it, until it tells
const coins = (_: Run, tasks: number): RisingLikelihood =>
  sumOfTasks({
    of: 'coins',
    called: 'coins',
    before: -Math.LN2 * (2 ** tasks - 1),
    adds: (key, nats) => (Number(key) < tasks ? nats / 4 + Math.LN2 * 2 ** Number(key) : null),
  });
// of the steps of two runs of EM validation rows choose, but none of what these begin with
const steps = (): RisingLikelihood =>
  bestOfTasks({ of: 'steps', called: 'steps', rows: 4, mayBeChosen: (key) => !key.endsWith('s0') });
const kinds = [
  { kind: 'train', rising: coins },
  { kind: 'select' },
  { kind: 'part', toldBy: 'step' },
  { kind: 'step', rising: steps },
];
const family = { name: 'coins', kinds } as unknown as Family;
const planned = (key: string, cost: number, kind = 'train'): PlannedTask => ({
  task: { run: 'run', kind, key },
  cost,
  detail: {},
  isNew: true,
});
const [long, short] = [planned('0', 30), planned('1', 10)];
const told = (share: number, trees: number, nats: number | null = null) => ({ share, trees, nats });

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

test('time left is by cost: of what is stored, and of what is in hand by its share', () => {
  const meter = new StageMeter(family, run, 'train');
  vi.advanceTimersByTime(60_000);
  meter.begin();
  expect(meter.timeLeft([long, short])).toEqual({ secondsLeft: null, secondsLeftRange: null });
  vi.advanceTimersByTime(10_000);
  // a thread began, and read a checkpoint
  meter.tell(long, told(1 / 6, 2));
  expect(meter.timeLeft([long, short]).secondsLeft).toBeNull();
  vi.advanceTimersByTime(5_000);
  meter.tell(long, told(1 / 3, 5));
  // 5 of 40 took 5 s
  expect(meter.timeLeft([long, short]).secondsLeft).toBeCloseTo(30, 9);
  meter.finish(long);
  // 25 of 40
  expect(meter.timeLeft([short]).secondsLeft).toBeCloseTo(2, 9);
  meter.finish(short);
  expect(meter.timeLeft([])).toEqual({ secondsLeft: 0, secondsLeftRange: { least: 0, most: 0 } });
});

test('the first tree gives a guess, whose range says how little it is worth; it is narrower later', () => {
  const meter = new StageMeter(family, run, 'train');
  meter.tell(long, told(0, 0));
  vi.advanceTimersByTime(1_000);
  meter.tell(long, told(1 / 750, 1));
  const first = meter.timeLeft([long, short]);
  // 1 of 1,000 took 1 s: a hundredth of a tenth, and so a tenth of what it seems
  expect(first.secondsLeft).toBeCloseTo(99.9, 6);
  expect(first.secondsLeftRange!.most / first.secondsLeftRange!.least).toBeCloseTo(16, 9);
  vi.advanceTimersByTime(9_000);
  meter.tell(long, told(1 / 3, 1));
  const { secondsLeft, secondsLeftRange } = meter.timeLeft([long, short]);
  expect(secondsLeft).toBeCloseTo(30, 9);
  expect(secondsLeftRange).toEqual({ least: secondsLeft! / 2.5, most: 2.5 * secondsLeft! });
});

test('trees a second are those of the last half minute, and a task that begins anew takes none back', () => {
  const meter = new StageMeter(family, run, 'train');
  meter.tell(long, told(0.1, 100));
  vi.advanceTimersByTime(10_000);
  meter.tell(long, told(0.2, 300));
  expect([meter.trees, meter.treesPerSecond()]).toEqual([300, 30]);
  meter.tell(long, told(0.1, 50));
  expect(meter.trees).toBe(300);
  vi.advanceTimersByTime(31_000);
  expect([meter.trees, meter.treesPerSecond()]).toEqual([300, 0]);
});

test('the likelihood so far counts what nobody has told of as its family says, and is none where it says nothing', () => {
  const meter = new StageMeter(family, run, 'train');
  expect(meter.logLikelihood(3)).toBeCloseTo(-7 * Math.LN2, 12);
  meter.know(new Map([['2', -1]]));
  meter.tell(long, told(0.5, 1, -2));
  meter.finish(long);
  expect([...meter.known].sort()).toEqual(['0', '2']);
  expect(meter.logLikelihood(3)).toBeCloseTo(-3 / 4 - 2 * Math.LN2, 12);
  // a task that is no part of it adds nothing
  expect(meter.logLikelihood(2)).toBeCloseTo(-2 / 4 - 2 * Math.LN2, 12);
  expect(new StageMeter(family, run, 'select').logLikelihood(1)).toBeNull();
});

test('of whole models the likeliest so far counts, told by the kind that ends them, and none before one has', () => {
  const meter = new StageMeter(family, run, 'part');
  meter.tell(planned('r0s0', 1, 'step'), told(1, 0, -4));
  expect(meter.logLikelihood(2)).toBeNull();
  meter.tell(planned('r0s1', 1, 'step'), told(1, 0, -12));
  meter.know(new Map([['r1s1', -8]]));
  meter.tell(planned('r0s2', 1, 'step'), told(1, 0, -16));
  expect(meter.logLikelihood(2)).toBe(-2);
  // a task of another kind at the same time
  meter.tell(planned('r1s2', 1, 'train'), told(1, 0, -1));
  expect(meter.logLikelihood(2)).toBe(-2);
});
