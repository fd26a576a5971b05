import type { ColumnDrift } from '@orchard/analysis';
import { alarmsOf, leastUsualRows } from '@orchard/model';
import { Option, type Command } from 'commander';
import { driftWords } from '../check/show-cells.js';
import { rarely } from '../command-line/help-places.js';
import { UsageError } from '../errors.js';
import { wholeNumber } from '../options/values.js';
import { count, counted } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';

/** The parsed options about alarms. */
export interface AlarmOptions {
  readonly alarms?: number;
  readonly usual?: string;
  readonly window?: number;
}

export function addAlarmOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--alarms <rate>',
        'raise an alarm for rows as unusual as this share of usual rows, 1/1000; needs --usual',
      ).argParser(rateIn),
    )
    .addOption(new Option('--usual <file>', 'usual rows that the model did not learn from, for --alarms'))
    .addOption(
      rarely(
        new Option(
          '--window <n>',
          'compare each row with so many rows before it, so that a drift does not raise the rate of --alarms',
        ).argParser(wholeNumber('--window', 1, 10_000_000)),
      ),
    );
}

/** `1/1000` or `.001`. */
function rateIn(text: string): number {
  const [, over, under] = /^\s*(\d*\.?\d+)\s*(?:\/\s*(\d*\.?\d+))?\s*$/.exec(text) ?? [];
  const rate = Number(over) / Number(under ?? 1);
  if (rate > 0 && rate < 1) return rate;
  throw new UsageError({
    got: JSON.stringify(text),
    expected: 'a share between 0 and 1, as 1/1000 or .001',
    where: '--alarms',
    remedy: 'Correct the option.',
  });
}

/** @throws UsageError for options that need each other */
export function checkAlarmOptions({ alarms, usual, window }: AlarmOptions): void {
  const lacks = (flag: string, other: string): never => {
    throw new UsageError({
      got: `${flag} without ${other}`,
      expected: 'both of them',
      where: flag,
      remedy: `Add ${other}.`,
    });
  };
  if (alarms !== undefined && usual === undefined) lacks('--alarms', '--usual FILE');
  if (usual !== undefined && alarms === undefined) lacks('--usual', '--alarms RATE');
  if (window !== undefined && alarms === undefined) lacks('--window', '--alarms RATE');
}

/** What is said of alarms, for programs too. */
export interface RaisedAlarms {
  /** Columns whose values are other than those that the model learned, the furthest first. */
  readonly drift: readonly ColumnDrift[];
  readonly alarms: {
    readonly rate: number;
    readonly promised: number;
    readonly usualRows: number;
    readonly threshold: number;
    /** Numbers of the rows, from 1. */
    readonly rows: readonly number[];
  };
}

/** @throws UsageError for fewer usual rows than can promise the rate */
export function raiseAlarms(
  usual: Float64Array,
  scores: Float64Array,
  { alarms: rate = 1, window }: AlarmOptions,
): Omit<RaisedAlarms, 'drift'> {
  const least = leastUsualRows(rate);
  const size = Math.min(window ?? usual.length, usual.length);
  if (size < least)
    throw new UsageError({
      got: `${counted(size, 'usual row')}, which can promise a rate of 1/${count(size + 1)} at least`,
      expected: `${count(least)} for a rate of 1/${count(Math.round(1 / rate))}`,
      where: window !== undefined && window < usual.length ? '--window' : '--usual',
      remedy: 'Give more usual rows, or a higher rate.',
    });
  const { alarms, ...raised } = alarmsOf(usual, scores, rate, window ?? null);
  const rows = Array.from(alarms.keys(), (row) => row + 1).filter((row) => alarms[row - 1] === 1);
  return { alarms: { rate, ...raised, rows } };
}

const MOST_NAMED = 20;

export function showAlarms({ alarms, drift }: RaisedAlarms, rows: number, terminal: Terminal): void {
  const { promised, usualRows, threshold, rows: found } = alarms;
  const expected = (promised * rows).toPrecision(2);
  const more = found.length > MOST_NAMED ? ` and ${count(found.length - MOST_NAMED)} more` : '';
  const named = found.length === 0 ? '' : `: rows ${found.slice(0, MOST_NAMED).map(count).join(', ')}${more}`;
  terminal.result(
    `${counted(found.length, 'alarm')} of ${counted(rows, 'row')}, ${expected} expected of usual ones${named}`,
  );
  terminal.result(
    `above a score of ${threshold.toPrecision(4)}, by ${counted(usualRows, 'usual row')}, which promise a rate of 1/${count(Math.round(1 / promised))}`,
  );
  for (const column of drift) terminal.result(harmlessLine(driftWords(column)));
  if (drift.length === 0) terminal.result('no column has drifted from what the model learned');
}
