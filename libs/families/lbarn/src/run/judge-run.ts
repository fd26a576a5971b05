import type { NetworkChoice } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import {
  baseRates,
  judgeGains,
  overAllRounds,
  type DensityModel,
  type JudgedGains,
  type Network,
} from '@orchard/model';
import { isMissing, loadSplits, type HeldOut } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { LbarnRun } from './lbarn-run.js';
import { readCurves, readSelections } from '../selection/select-rounds.js';

/**
 * Judges on the test rows, or where there are none by the validation curves (one ranged read a dimension): the gain is
 * then that of the chosen rounds before any refit or second training, which has seen these rows; whether it is noise is
 * judged over all rounds, since the rows have chosen.
 *
 * @param rounds - of each stored dimension, as the network's selection chose them
 */
export async function judgeRun(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  rounds: readonly number[],
  splits: { readonly train: BitMatrix; readonly valid: BitMatrix; readonly test: BitMatrix | null },
  network: Network,
): Promise<JudgedGains> {
  const rates = baseRates(splits.train);
  if (splits.test !== null) {
    return { gains: network.gains({ matrix: splits.test, rates }), rates, split: 'test', beforeRefit: false };
  }
  const curves = await readCurves(store, run);
  const sums = curves.map(({ valid }, dimension) => valid![rounds[dimension]!]!);
  const judged = curves.map(({ valid }) => overAllRounds(valid!));
  const gains = judgeGains(sums, { matrix: splits.valid, rates }, judged);
  return { gains, rates, split: 'validation', beforeRefit: choice.refit !== false };
}

/** The rows that a model of a run is judged by; null where there are none, or where nothing was selected yet. */
export async function heldOutOf(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  model: DensityModel,
): Promise<HeldOut | null> {
  const splits = await loadSplits(store, run);
  const { train, valid, test } = splits;
  if (run.specification.members !== undefined) {
    // of all other rows some members have seen every one
    if (test === null) return null;
    return { split: 'test', rows: test, rates: baseRates(train), gains: null, beforeRefit: false };
  }
  const selections = await readSelections(store, run, choice.selection).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (selections === null) return null;
  const { rounds } = selections[choice.selection]!;
  return { rows: test ?? valid, ...(await judgeRun(store, run, choice, rounds, splits, model as Network)) };
}
