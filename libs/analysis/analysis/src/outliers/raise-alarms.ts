import { count, counted } from '@orchard/refusal';
import { alarmsOf, leastUsualRows, ModelError } from '@orchard/model';

/** How many alarms there may be. */
export interface AlarmRate {
  /** The share of usual rows that may be alarms, above 0 and below 1. */
  readonly rate: number;
  /** Compares each row with so many scores before it, first of usual rows. @default with all usual rows */
  readonly window?: number | undefined;
}

/** Which rows are alarms, and what that is judged by. */
export interface RaisedAlarms {
  readonly rate: number;
  /** The rate that the usual rows promise, at most the one that was asked for. */
  readonly promised: number;
  /** Usual rows that a row is compared with. */
  readonly usualRows: number;
  /** Rows with a higher score are alarms; with a window, that of the row after the last. */
  readonly threshold: number;
  /** Numbers of the rows, from 1. */
  readonly rows: readonly number[];
}

/**
 * Alarms among scored rows, at a rate that scores of usual rows promise.
 *
 * @param usual anomaly scores of rows that the model did not learn from, the latest last
 * @param scores of the rows
 * @throws ModelError `invalid-argument` for fewer usual rows, or a narrower window, than can promise the rate
 */
export function raiseAlarms(usual: Float64Array, scores: Float64Array, { rate, window }: AlarmRate): RaisedAlarms {
  const least = leastUsualRows(rate);
  const size = Math.min(window ?? usual.length, usual.length);
  if (size < least)
    throw new ModelError('invalid-argument', {
      got: `${counted(size, 'usual row')}, which can promise a rate of 1/${count(size + 1)} at least`,
      expected: `${count(least)} for a rate of 1/${count(Math.round(1 / rate))}`,
      where: window !== undefined && window < usual.length ? 'window' : 'usual',
      remedy: 'Give more usual rows, or a higher rate.',
    });
  const { alarms, ...raised } = alarmsOf(usual, scores, rate, window ?? null);
  const rows = Array.from(alarms.keys(), (row) => row + 1).filter((row) => alarms[row - 1] === 1);
  return { rate, ...raised, rows };
}
