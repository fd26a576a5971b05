import { trainWithin, type Budget, type BudgetFacts, type Rung, type RungFacts } from '@orchard/analysis';
import type { TrainedModel } from '../../run-folder/trained-document.js';
import { duration } from '../../output/figures.js';
import type { Terminal } from '../../output/terminal.js';
import type { ModelRequest, RunDirectory } from '../../run-folder/run-directory.js';

/** A run that the budget may end in. */
export interface RungRun extends Pick<ModelRequest, 'family' | 'specification' | 'choice'> {
  readonly rung: Rung;
}

/** Everything that a run is asked for but its settings. */
type Shared = Omit<ModelRequest, keyof RungRun>;

/**
 * Trains the likeliest model that fits into a budget. All runs have the folder's store, where what was stopped is kept.
 */
export async function trainInBudget(
  directory: RunDirectory,
  runs: readonly RungRun[],
  shared: Shared,
  budget: Budget,
  terminal: Terminal,
): Promise<{ readonly trained: TrainedModel; readonly facts: BudgetFacts }> {
  const request = { ...shared, shownWarnings: new Set<string>() };
  const { best, facts } = await trainWithin(
    runs,
    budget,
    (run, { signal, look }) =>
      directory.produce(
        {
          ...request,
          ...run,
          withReport: false,
          signal,
          onProgress: ({ secondsLeftRange }) => {
            look(secondsLeftRange?.least ?? 0);
          },
        },
        terminal,
      ),
    ({ name }, spent, expectedSeconds) => {
      const expected = expectedSeconds === null ? '' : `, about ${duration(expectedSeconds)}`;
      terminal.note(`orchard: ${spentOf(spent, budget.seconds)}; training ${name}${expected}`);
    },
  );
  const labels = { ...shared.labels!, budget: linesOf(facts) };
  // all of it is stored: what is left is the report
  const trained = await directory.produce({ ...request, ...best, labels }, terminal);
  return { trained, facts };
}

/** As `spent 3.2 s of 5.0 s`; reading a file takes time too, and may take more than the budget. */
function spentOf(spent: number, seconds: number): string {
  const budget = duration(seconds);
  return spent > seconds
    ? `spent ${duration(spent)}, more than the budget of ${budget}`
    : `spent ${duration(spent)} of ${budget}`;
}

/** What became of the budget, a sentence a line. */
export function linesOf({ seconds, spent, chosen, rungs }: BudgetFacts): string[] {
  const others = rungs.filter(({ state }) => state !== 'trained');
  const why = ({ state, seconds: taken, expectedSeconds }: RungFacts): string => {
    if (state === 'stopped') return `stopped after ${duration(taken)}; what is done is kept`;
    return expectedSeconds === null ? 'left out' : `left out; it takes about ${duration(expectedSeconds)}`;
  };
  // the default settings have the usual model
  const isTooShort = chosen.startsWith('--model ');
  return [
    `Trained ${chosen}${spent > seconds ? '' : ', the best that fits'}: ${spentOf(spent, seconds)}.`,
    ...(isTooShort ? ['The time is too short for the default settings, which are likelier.'] : []),
    ...others.map((rung) => `${rung.options}: ${why(rung)}.`),
    ...(others.length > 0 ? ['The same command with a longer --budget continues from what is stored.'] : []),
  ];
}
