import { areaUnderCurve, nearestRows } from '@orchard/resemblance';
import { moments } from '../output/moments.js';
import type { ReadRows } from './read-rows.js';

/** Held-out rows that a training row is compared with. */
const NEIGHBOURS = 5;

/** A training row that the model gives away: it is likelier than the held-out rows that are most like it. */
export interface RowAtRisk {
  /** In the file, from 1. */
  readonly row: number;
  readonly logLikelihood: number;
  /** Nats above the mean of its nearest held-out rows. */
  readonly excess: number;
}

/** What a likelihood gives away of the rows that trained it. */
export interface Membership {
  readonly training: number;
  readonly heldOut: number;
  /** Nats per row that training rows are likelier, with the standard error. */
  readonly gap: number;
  readonly gapError: number;
  /** How well the log-likelihood alone separates training from held-out rows: .5 where it does not. */
  readonly auc: number;
  readonly rowsAtRisk: readonly RowAtRisk[];
}

/** @param nats log P of each row of the two files */
export function membershipOf(
  train: ReadRows,
  test: ReadRows,
  nats: { readonly train: Float64Array; readonly test: Float64Array },
  { top, onProgress }: { readonly top: number; readonly onProgress: (stage: string, share: number) => void },
): Membership {
  const ofTest = Float64Array.from(test.numbers, (row) => nats.test[row]!);
  const neighbours = Math.min(NEIGHBOURS, test.count);
  const { rows } = nearestRows(train, test, {
    ...{ scale: train, neighbours },
    onProgress: (share) => onProgress('rows at risk', share),
  });
  const excess = Float64Array.from(train.numbers, (number, row) => {
    let sum = 0;
    for (let place = 0; place < neighbours; place++) sum += ofTest[rows[row * neighbours + place]!]!;
    return nats.train[number]! - sum / neighbours;
  });
  const order = Array.from(excess.keys()).sort((a, b) => excess[b]! - excess[a]!);
  const [training, heldOut] = [moments(nats.train), moments(nats.test)];
  return {
    training: training.mean,
    heldOut: heldOut.mean,
    gap: training.mean - heldOut.mean,
    gapError: Math.hypot(training.standardError ?? Infinity, heldOut.standardError ?? Infinity),
    auc: areaUnderCurve(nats.train, nats.test),
    rowsAtRisk: order.slice(0, top).map((row) => ({
      row: train.numbers[row]! + 1,
      logLikelihood: nats.train[train.numbers[row]!]!,
      excess: excess[row]!,
    })),
  };
}
