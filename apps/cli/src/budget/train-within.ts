import { isRefusal } from '@orchard/refusal';
import { duration } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import type { TrainedModel } from '../documents/trained-document.js';
import type { ModelRequest, RunDirectory } from '../run-folder/run-directory.js';
import { secondsOf, type Rung, type TrainedRung } from '@orchard/analysis';

/** Between two looks at the clock. */
const LOOK_MILLISECONDS = 100;

/** Share of a budget before which no guess of what is left counts: the first trees say little of the others. */
const FIRST_GUESSES = 0.1;

/** A run that the budget may end in. */
export interface RungRun extends Pick<ModelRequest, 'family' | 'specification' | 'choice'> {
  readonly rung: Rung;
}

/** What the time of a budget was spent on. */
export interface BudgetFacts {
  readonly seconds: number;
  readonly spent: number;
  /** The settings of the model that is there, as options: the same without a budget train the same model. */
  readonly chosen: string;
  readonly rungs: readonly RungFacts[];
}

export interface RungFacts {
  readonly options: string;
  /** Whether it was trained, stopped since it would have passed the budget, or left out for that reason. */
  readonly state: 'trained' | 'stopped' | 'left out';
  /** That it took. */
  readonly seconds: number;
  /** That it was going to take, where that was known. */
  readonly expectedSeconds: number | null;
}

/** Everything that a run is asked for but its settings. */
type Shared = Omit<ModelRequest, keyof RungRun>;

/**
 * Trains one rung after another, from the cheapest, as long as the next fits into what is left of the budget: by what a
 * member of the last one took, and while it is trained by the cost of what is left of it. All have the folder's store,
 * where what was stopped is kept. The first is trained whatever it takes.
 *
 * @param begun when the time of the budget begins, milliseconds of `performance.now()`
 * @param budget seconds
 */
export async function trainWithin(
  directory: RunDirectory,
  runs: readonly RungRun[],
  shared: Shared,
  { begun, budget }: { readonly begun: number; readonly budget: number },
  terminal: Terminal,
): Promise<{ readonly trained: TrainedModel; readonly facts: BudgetFacts }> {
  const spent = (): number => (performance.now() - begun) / 1000;
  const facts: RungFacts[] = [];
  const done: TrainedRung[] = [];
  let best: RungRun | null = null;
  const request = { ...shared, shownWarnings: new Set<string>() };
  for (const { rung, ...run } of runs) {
    const expectedSeconds = secondsOf(rung, done);
    const isFirst = best === null;
    const options = rung.name;
    const last = facts.at(-1);
    if (last !== undefined && (last.state !== 'trained' || spent() + (expectedSeconds ?? 0) > budget)) {
      facts.push({ options, state: 'left out', seconds: 0, expectedSeconds });
      continue;
    }
    terminal.note(
      `orchard: ${duration(spent())} of ${duration(budget)} are spent; training ${options}` +
        (expectedSeconds === null ? '' : `, about ${duration(expectedSeconds)}`),
    );
    const before = performance.now();
    const seconds = (): number => (performance.now() - before) / 1000;
    const isTooLong = (left: number): boolean =>
      !isFirst && spent() + (seconds() > FIRST_GUESSES * budget ? left : 0) > budget;
    if (await isTrained(directory, { ...request, ...run, withReport: false }, isTooLong, terminal)) {
      best = { rung, ...run };
      facts.push({ options, state: 'trained', seconds: seconds(), expectedSeconds });
      done.push({ rung, seconds: seconds() });
    } else facts.push({ options, state: 'stopped', seconds: seconds(), expectedSeconds });
  }
  const { rung, ...run } = best!;
  const found = { seconds: budget, spent: spent(), chosen: rung.name, rungs: facts };
  const labels = { ...shared.labels!, budget: linesOf(found) };
  // all of it is stored: what is left is the report
  const trained = await directory.produce({ ...request, ...run, labels }, terminal);
  return { trained, facts: found };
}

/**
 * Whether a run was trained, and is in the folder: it is stopped as soon as it is going to take too long.
 *
 * @param isTooLong whether so many seconds more would be
 */
async function isTrained(
  directory: RunDirectory,
  request: ModelRequest,
  isTooLong: (seconds: number) => boolean,
  terminal: Terminal,
): Promise<boolean> {
  const stop = new AbortController();
  const look = (least: number): void => {
    if (isTooLong(least)) stop.abort();
  };
  const watch = setInterval(() => {
    look(0);
  }, LOOK_MILLISECONDS);
  try {
    const onProgress: ModelRequest['onProgress'] = ({ secondsLeftRange }) => {
      look(secondsLeftRange?.least ?? 0);
    };
    await directory.produce({ ...request, signal: stop.signal, onProgress }, terminal);
    return true;
  } catch (error) {
    if (stop.signal.aborted && isRefusal(error, 'interrupted')) return false;
    throw error;
  } finally {
    clearInterval(watch);
  }
}

/** What became of the budget, a sentence a line. */
export function linesOf({ seconds, spent, chosen, rungs }: BudgetFacts): string[] {
  const others = rungs.filter(({ state }) => state !== 'trained');
  const why = ({ state, seconds: taken, expectedSeconds }: RungFacts): string => {
    if (state === 'stopped') return `stopped after ${duration(taken)}; what is done is kept`;
    return expectedSeconds === null ? 'left out' : `left out; it takes about ${duration(expectedSeconds)}`;
  };
  const isTooShort = rungs.filter(({ state }) => state === 'trained').length < 2;
  return [
    `Of ${duration(seconds)}, ${duration(spent)} are spent. The best that fits: ${chosen}.`,
    ...(isTooShort ? ['The time is too short for the default settings, which are likelier.'] : []),
    ...others.map((rung) => `${rung.options}: ${why(rung)}.`),
    ...(others.length > 0 ? ['The same command with a longer --budget continues from what is stored.'] : []),
  ];
}
