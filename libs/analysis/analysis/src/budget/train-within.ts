import { isRefusal } from '@orchard/refusal';
import { secondsOf, type Rung, type TrainedRung } from './rungs.js';

/** Between two looks at the clock. */
const LOOK_MILLISECONDS = 100;

/** Share of a budget before which no guess of what is left counts: the first trees say little of the others. */
const FIRST_GUESSES = 0.1;

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

/** How the training of a rung is followed and stopped. */
export interface Watched {
  readonly signal: AbortSignal;
  /** To be called with the seconds that are left at least, as far as they are known. */
  readonly look: (leastSecondsLeft: number) => void;
}

export interface Budget {
  /** When its time begins, milliseconds of `performance.now()`. */
  readonly begun: number;
  readonly seconds: number;
}

/** Called before a rung is trained, with the seconds that are spent and that it takes, where these are known. */
export type OnRung = (rung: Rung, spent: number, expectedSeconds: number | null) => void;

/**
 * Trains one rung after another, from the cheapest, as long as the next fits into what is left of the budget: by what a
 * member of the last one took, and while it is trained by the cost of what is left of it. The first is trained whatever
 * it takes.
 *
 * @param train rejects with the refusal `interrupted` where its signal stops it; what is done is kept
 * @returns the last run that was trained
 */
export async function trainWithin<Run extends { readonly rung: Rung }>(
  runs: readonly Run[],
  { begun, seconds: budget }: Budget,
  train: (run: Run, watched: Watched) => Promise<unknown>,
  onRung: OnRung,
): Promise<{ readonly best: Run; readonly facts: BudgetFacts }> {
  const spent = (): number => (performance.now() - begun) / 1000;
  const facts: RungFacts[] = [];
  const done: TrainedRung[] = [];
  let best: Run | null = null;
  for (const run of runs) {
    const { rung } = run;
    const expectedSeconds = secondsOf(rung, done);
    const isFirst = best === null;
    const options = rung.name;
    const last = facts.at(-1);
    if (last !== undefined && (last.state !== 'trained' || spent() + (expectedSeconds ?? 0) > budget)) {
      facts.push({ options, state: 'left out', seconds: 0, expectedSeconds });
      continue;
    }
    onRung(rung, spent(), expectedSeconds);
    const before = performance.now();
    const seconds = (): number => (performance.now() - before) / 1000;
    const isTooLong = (left: number): boolean =>
      !isFirst && spent() + (seconds() > FIRST_GUESSES * budget ? left : 0) > budget;
    if (await isTrained((watched) => train(run, watched), isTooLong)) {
      best = run;
      facts.push({ options, state: 'trained', seconds: seconds(), expectedSeconds });
      done.push({ rung, seconds: seconds() });
    } else facts.push({ options, state: 'stopped', seconds: seconds(), expectedSeconds });
  }
  return { best: best!, facts: { seconds: budget, spent: spent(), chosen: best!.rung.name, rungs: facts } };
}

/**
 * Whether a run was trained: it is stopped as soon as it is going to take too long.
 *
 * @param isTooLong whether so many seconds more would be
 */
async function isTrained(
  train: (watched: Watched) => Promise<unknown>,
  isTooLong: (seconds: number) => boolean,
): Promise<boolean> {
  const stop = new AbortController();
  const look = (least: number): void => {
    if (isTooLong(least)) stop.abort();
  };
  const watch = setInterval(() => {
    look(0);
  }, LOOK_MILLISECONDS);
  try {
    await train({ signal: stop.signal, look });
    return true;
  } catch (error) {
    if (stop.signal.aborted && isRefusal(error, 'interrupted')) return false;
    throw error;
  } finally {
    clearInterval(watch);
  }
}
