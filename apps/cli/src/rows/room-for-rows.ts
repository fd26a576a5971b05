import type { BaseSpecification, DatasetFacts } from '@orchard/contracts';
import { columnsIn } from '@orchard/dataset';
import { largestThat, powerOfTen } from '@orchard/numerics';
import { isRefusal } from '@orchard/refusal';
import type { Family, Run, RunDatasets } from '@orchard/pipeline';
import { UsageError } from '../output/errors.js';
import { count, counted } from '../output/figures.js';

/** What has to fit: a run that is made definite. */
export interface Planned {
  readonly runId: string;
  readonly specification: BaseSpecification;
  readonly datasets: RunDatasets;
}

/** Where the number of rows comes from, for the refusal. */
export interface RowsToFit {
  /** As messages call it. */
  readonly file?: string;
  /** How many the file has by its size, where no more than its beginning was read; the run then has fewer of them. */
  readonly estimated?: number | undefined;
}

/**
 * Refuses rows for which the trainer has no memory even on one thread, before hours are spent on them, and says what
 * would fit.
 *
 * @throws UsageError
 */
export function requireRoom(family: Family, run: Planned, from: RowsToFit): void {
  if (whyTooLarge(family, run) !== null) throw refusalFor(family, run, from);
}

/** The refusal of rows for which there is no room. */
export function refusalFor(family: Family, run: Planned, { file, estimated }: RowsToFit = {}): UsageError {
  const tooLarge = whyTooLarge(family, run)!;
  const { train, valid } = run.datasets;
  const rows = train.rows + valid.rows;
  const columns = columnsIn(train).count;
  const most = largestThat(rows, (fewer) => whyTooLarge(family, withRows(run, fewer)) === null);
  const cuts = mostCuts(run.datasets);
  const fewer = largestThat(cuts, (cutPoints) => whyTooLarge(family, withCutPoints(run, cutPoints)) === null);
  const offers = [
    ...(most >= 2 ? [`take a random part of at most ${count(most)} rows (--rows ${String(roundedDown(most))})`] : []),
    ...(fewer > 0 && fewer < cuts ? [`split numbers at fewer values (--cut-points ${String(fewer)} fits)`] : []),
    train.table === undefined ? 'leave out columns (--columns)' : 'leave out columns (--exclude)',
  ];
  const ofColumns = `of ${counted(columns, 'column')}${file === undefined ? '' : ` in ${file}`}`;
  // a split may have too many rows, however few bytes these take
  const size = / ([\d.]+ [MG]iB)$/.exec(tooLarge.got)?.[1];
  const takes = size === undefined ? `too many: ${tooLarge.got} in one split` : `${size} on one thread`;
  const many =
    estimated === undefined
      ? `${counted(rows, 'row')} ${ofColumns}, ${takes}`
      : `about ${count(roundedDown(estimated))} rows ${ofColumns} by its size; ${count(roundedDown(rows))} of them would be ${takes}`;
  return new UsageError(
    {
      got: many,
      expected: `rows that fit into the trainer's memory: ${tooLarge.expected}`,
      where: 'TRAIN',
      remedy: `${offers.join(', or ').replace(/^./, (first) => first.toUpperCase())}.`,
    },
    { cause: tooLarge },
  );
}

interface TooLarge extends Error {
  readonly got: string;
  readonly expected: string;
}

/** The trainer's own refusal; null where the rows fit, or nothing is known of it. */
function whyTooLarge(family: Family, planned: Planned): TooLarge | null {
  try {
    family.needs?.memory(runOf(family, planned), 1);
    return null;
  } catch (error) {
    if (isRefusal(error, 'too-large')) return error;
    throw error;
  }
}

/** A run that is not stored: only what it takes is asked. */
export function runOf(family: Family, { runId, specification, datasets }: Planned): Run {
  return { id: runId, family: family.name, specification, datasets };
}

/** The same run on so many rows, in the same proportions. */
export function withRows(planned: Planned, rows: number): Planned {
  const { train, valid, test } = planned.datasets;
  const share = rows / (train.rows + valid.rows);
  const scaled = (facts: DatasetFacts): DatasetFacts => ({
    ...facts,
    rows: Math.max(1, Math.round(facts.rows * share)),
  });
  return { ...planned, datasets: { train: scaled(train), valid: scaled(valid), test: test && scaled(test) } };
}

function withCutPoints(planned: Planned, most: number): Planned {
  const fewer = (facts: DatasetFacts): DatasetFacts =>
    facts.table === undefined
      ? facts
      : {
          ...facts,
          table: {
            ...facts.table,
            variables: facts.table.variables.map((variable) =>
              variable.kind === 'ordered' ? { ...variable, cuts: variable.cuts.slice(0, most) } : variable,
            ),
          },
        };
  const { train, valid, test } = planned.datasets;
  return { ...planned, datasets: { train: fewer(train), valid: fewer(valid), test: test && fewer(test) } };
}

/** Of any column. */
function mostCuts({ train }: RunDatasets): number {
  const cuts = train.table?.variables.map((variable) => (variable.kind === 'ordered' ? variable.cuts.length : 0));
  return Math.max(0, ...(cuts ?? []));
}

/** To two digits, so that it can be typed, and that estimates leave some room. */
function roundedDown(value: number): number {
  const unit = powerOfTen(Math.max(0, Math.floor(Math.log10(value)) - 1));
  return Math.floor(value / unit) * unit;
}
