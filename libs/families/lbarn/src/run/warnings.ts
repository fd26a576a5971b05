import type { RunWarning, SettledSpecification } from '@orchard/contracts';
import { dataWarnings, readOrdering, warningsOfOrdering } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { counted } from '@orchard/refusal';
import type { LbarnRun } from './lbarn-run.js';
import type { Selections } from '../selection/select-rounds.js';
import { splitsOf } from '../training/training-data.js';

/** A curve is held to be rising where the last tenth of its rounds brought more than this share of all it gained. */
const RISING_SHARE = 0.01;

/**
 * What a run is worth being warned about: a function of what is stored of it, so that everybody who asks says the same.
 */
export async function warningsOf(store: ObjectStore, run: LbarnRun, selections: Selections): Promise<RunWarning[]> {
  const { train } = await splitsOf(store, run);
  const rounds = roundsWarning(run.specification, selections, run.datasets.valid.rows);
  const ordering =
    run.orderedBy === null
      ? []
      : warningsOfOrdering(run.orderedBy, await readOrdering(store, run, run.orderedBy), run.datasets.train.rows);
  return [...dataWarnings(train, run.datasets.valid.rows), ...ordering, ...(rounds === null ? [] : [rounds])];
}

/**
 * Warns where the rounds were too few: the validation likelihood of all dimensions together was highest at the last
 * round, and not flat there. By the path of the common selection, since one dimension's curve may creep upwards for
 * ever.
 */
function roundsWarning(
  { rounds, pseudoCount }: Pick<SettledSpecification, 'rounds' | 'pseudoCount'>,
  { common, individual }: Pick<Selections, 'common' | 'individual'>,
  validRows: number,
): RunWarning | null {
  if (common.commonRounds !== rounds || common.path === null) return null;
  const { trees, valid } = common.path;
  // trees stand for rounds: the dimensions that still grow have one more in each
  const beforeLast = trees.findLastIndex((count) => count <= 0.9 * trees.at(-1)!);
  const [gained, lately] = [0, Math.max(0, beforeLast)].map((point) => valid.at(-1)! - valid[point]!) as [
    number,
    number,
  ];
  if (!(lately > RISING_SHARE * gained)) return null;
  const atLimit = individual.rounds.filter((count) => count === rounds).length;
  const nats = (lately / validRows).toPrecision(2);
  return {
    code: 'rounds-limit',
    message:
      `The validation likelihood was still rising at the last of ${counted(rounds, 'round')} ` +
      `(by ${nats} nats per row over the last tenth of the trees; ${atLimit} of ${counted(individual.rounds.length, 'dimension')} best there). ` +
      (pseudoCount === undefined
        ? 'Train with more rounds, or a larger shrinkage.'
        : 'Rounds are splits of a single tree: allow it more leaves.'),
  };
}
