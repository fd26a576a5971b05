import type { RunWarning, SettledSpecification } from '@orchard/contracts';
import { listNames, type BitMatrix } from '@orchard/dataset';
import type { ObjectStore } from '@orchard/storage';
import type { LbarnRun } from './lbarn-run.js';
import type { Selections } from '../selection/select-rounds.js';
import { splitsOf } from '../training/training-data.js';

/** Below this many validation rows the standard error of a mean is more than a seventh of what one row differs. */
const FEW_VALIDATION_ROWS = 50;

/** A curve is held to be rising where the last tenth of its rounds brought more than this share of all it gained. */
const RISING_SHARE = 0.01;

/** What a run is worth being warned about: a function of what is stored of it, so that everybody who asks says the same. */
export async function warningsOf(store: ObjectStore, run: LbarnRun, selections: Selections): Promise<RunWarning[]> {
  const { train } = await splitsOf(store, run);
  const rounds = roundsWarning(run.specification, selections, run.datasets.valid.rows);
  return [...dataWarnings(train, run.datasets.valid.rows), ...(rounds === null ? [] : [rounds])];
}

/** What the rows alone are worth being warned about, before anything is trained. */
export function dataWarnings(train: BitMatrix, validRows: number): RunWarning[] {
  const warnings: RunWarning[] = [];
  if (validRows < FEW_VALIDATION_ROWS) {
    warnings.push({
      code: 'few-validation-rows',
      message:
        `${counted(validRows, 'row validates', 'rows validate')}: the number of trees is chosen by chance below ${FEW_VALIDATION_ROWS}. ` +
        'Give more validation rows.',
    });
  }
  const constant: string[] = [];
  train.columnCounts().forEach((ones, dim) => {
    if (ones === 0 || ones === train.rows) constant.push(train.names?.[dim] ?? String(dim + 1));
  });
  if (constant.length > 0) {
    const which = train.names === null ? shortened(constant) : listNames(constant);
    warnings.push({
      code: 'constant-columns',
      message:
        `${counted(constant.length, 'column has', 'columns have')} one value in all ${train.rows} training rows (${which}): ` +
        'nothing can be learned of them, and another value is all but impossible to the network. Leave them out, or check the threshold.',
    });
  }
  return warnings;
}

/**
 * Warns where the rounds were too few: the validation likelihood of all dimensions together was highest at the last round, and not
 * flat there. By the path of the common selection, since one dimension's curve may creep upwards for ever.
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
      `The validation likelihood was still rising at the last of ${counted(rounds, 'round', 'rounds')} ` +
      `(by ${nats} nats a row over the last tenth of the trees; ${atLimit} of ${counted(individual.rounds.length, 'dimension', 'dimensions')} best there). ` +
      (pseudoCount === undefined
        ? 'Train with more rounds, or a larger shrinkage.'
        : 'Rounds are splits of a single tree: allow it more leaves.'),
  };
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function shortened(numbers: readonly string[]): string {
  const shown = numbers.slice(0, 5).join(', ');
  return numbers.length > 5 ? `${shown} and ${numbers.length - 5} more` : shown;
}
