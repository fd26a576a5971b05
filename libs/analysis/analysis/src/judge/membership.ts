import { moments } from '@orchard/model';
import { areaUnderCurve, nearestRows } from '@orchard/resemblance';
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

/** The membership that a run of the command finds, and each training row that was looked at, in the file's order. */
export interface MembershipByRow {
  readonly membership: Membership;
  readonly rows: readonly RowAtRisk[];
}

/** @param nats log P of each row of the two files */
export function membershipOf(
  train: ReadRows,
  test: ReadRows,
  nats: { readonly train: Float64Array; readonly test: Float64Array },
  { top, onProgress }: { readonly top: number; readonly onProgress: (stage: string, share: number) => void },
): MembershipByRow {
  const ofTest = Float64Array.from(test.numbers, (row) => nats.test[row]!);
  const neighbours = Math.min(NEIGHBOURS, test.count);
  const { rows } = nearestRows(train, test, {
    scale: train,
    neighbours,
    onProgress: (share) => onProgress('rows at risk', share),
  });
  const excess = Float64Array.from(train.numbers, (number, row) => {
    let sum = 0;
    for (let place = 0; place < neighbours; place++) sum += ofTest[rows[row * neighbours + place]!]!;
    return nats.train[number]! - sum / neighbours;
  });
  const looked = Array.from(train.numbers, (number, row) => ({
    row: number + 1,
    logLikelihood: nats.train[number]!,
    excess: excess[row]!,
  }));
  const [training, heldOut] = [moments(nats.train), moments(nats.test)];
  const membership = {
    training: training.mean,
    heldOut: heldOut.mean,
    gap: training.mean - heldOut.mean,
    gapError: Math.hypot(training.standardError ?? Infinity, heldOut.standardError ?? Infinity),
    auc: areaUnderCurve(nats.train, nats.test),
    rowsAtRisk: looked.toSorted((a, b) => b.excess - a.excess).slice(0, top),
  };
  return { membership, rows: looked.toSorted((a, b) => a.row - b.row) };
}
