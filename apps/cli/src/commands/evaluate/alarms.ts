import { raiseAlarms, type ColumnDrift, type RaisedAlarms } from '@orchard/analysis';
import { ModelError, scoresOfCodes, type GivenColumns, type TabularModel } from '@orchard/model';
import { firstAndMore } from '@orchard/refusal';
import { driftWords } from '../check/show-cells.js';
import { UsageError } from '../../output/errors.js';
import { ofForm, wholeNumber } from '../../options/values.js';
import { count, counted } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import type { Terminal } from '../../output/terminal.js';
import { heldOutRowsBeside } from '../../run-folder/store-beside.js';
import { option, rare, type Parsed } from '../../options/option.js';

export const alarmOptions = () => [
  option(
    '--alarms <rate>',
    'raise an alarm for rows as unusual as this share of usual rows, 1/1000',
    ofForm('a share between 0 and 1, as 1/1000 or .001', rateIn),
  ),
  option(
    '--usual <file>',
    'usual rows that the model did not learn from, for --alarms (default: those that its run held out)',
  ),
  rare(
    '--window <n>',
    'compare each row with so many rows before it, so that a drift does not raise the rate of --alarms',
    wholeNumber(1, 10_000_000),
  ),
];

type AlarmOptions = Parsed<typeof alarmOptions>;

/** `1/1000` or `.001`. */
function rateIn(text: string): number | undefined {
  const [, over, under] = /^\s*(\d*\.?\d+)\s*(?:\/\s*(\d*\.?\d+))?\s*$/.exec(text) ?? [];
  const rate = Number(over) / Number(under ?? 1);
  return rate > 0 && rate < 1 ? rate : undefined;
}

/** @throws UsageError for options that need each other */
export function checkAlarmOptions({ alarms, usual, window }: AlarmOptions): void {
  const flag = usual !== undefined ? '--usual' : window !== undefined ? '--window' : null;
  if (alarms !== undefined || flag === null) return;
  throw new UsageError({
    got: `${flag} without --alarms RATE`,
    expected: 'both of them',
    where: flag,
    remedy: 'Add --alarms RATE.',
  });
}

/** What is said of alarms, for programs too. */
export interface AlarmsFound {
  /** Columns whose values are other than those that the model learned, the furthest first. */
  readonly drift: readonly ColumnDrift[];
  readonly alarms: RaisedAlarms & {
    /** Whether the usual rows are a file, or those that the run held out. */
    readonly usual: 'file' | 'test' | 'validation';
  };
}

/** Scores of usual rows, and where these are from. */
export interface UsualScores {
  readonly scores: Float64Array;
  readonly usual: AlarmsFound['alarms']['usual'];
}

/** @throws UsageError for fewer usual rows than can promise the rate */
export function raiseAlarmsBy(
  { scores: usualScores, usual }: UsualScores,
  scores: Float64Array,
  { alarms: rate = 1, window }: AlarmOptions,
): AlarmsFound['alarms'] {
  try {
    return { ...raiseAlarms(usualScores, scores, { rate, window }), usual };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { got, expected, where } = error;
    const isHeldOut = usual !== 'file' && where !== 'window';
    throw new UsageError({
      got: isHeldOut ? `${got}: the ${usual} rows of the run` : got,
      expected,
      where: where === 'window' ? '--window' : isHeldOut ? '--alarms' : '--usual',
      remedy: isHeldOut ? 'Give a file of usual rows (--usual FILE), or a higher rate.' : error.remedy,
    });
  }
}

/**
 * Scores of the rows that a model's run held out.
 *
 * @param path of the model's file
 * @throws UsageError where there are none
 */
export async function scoresOfHeldOut(
  model: TabularModel,
  path: string,
  { given, seed }: { readonly given: GivenColumns | null; readonly seed: number },
): Promise<UsualScores> {
  const held = await heldOutRowsBeside(path, model);
  if (held !== null) return { scores: scoresOfCodes(model, held.rows, given, seed), usual: held.split };
  throw new UsageError({
    got: '--alarms of a model without held-out rows',
    expected: 'rows that it did not learn from: a file, or the test or validation rows of its run',
    where: '--alarms',
    remedy: 'Add --usual FILE. Members and a refit learn from all rows: train with --test-fraction to keep some.',
  });
}

const MOST_NAMED = 20;

export function showAlarms({ alarms, drift }: AlarmsFound, rows: number, terminal: Terminal): void {
  const { promised, usualRows, threshold, usual, rows: found } = alarms;
  const expected = promised * rows < 10 ? (promised * rows).toPrecision(2) : count(Math.round(promised * rows));
  const named = found.length === 0 ? '' : `: rows ${firstAndMore(found.map(count), MOST_NAMED, count)}`;
  terminal.result(
    `${counted(found.length, 'alarm')} of ${counted(rows, 'row')}, ${expected} expected of usual ones${named}`,
  );
  terminal.result(
    `above a score of ${threshold.toPrecision(4)}, by ${counted(usualRows, usual === 'file' ? 'usual row' : `${usual} row`)}, which promise a rate of 1/${count(Math.round(1 / promised))}`,
  );
  if (usual !== 'file') terminal.note('orchard: of these the run keeps bins alone: --usual FILE keeps the rate better');
  for (const column of drift) terminal.result(harmlessLine(driftWords(column)));
  if (drift.length === 0) terminal.result('no column has drifted from what the model learned');
}
