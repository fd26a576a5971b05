import { correctColumn } from '@orchard/dataset';
import type { LabelScores, NumberScores, TabularModel, TargetScores } from '@orchard/model';
import { UsageError } from '../../output/errors.js';
import { counted, nats, percentTo, table } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import type { Terminal } from '../../output/terminal.js';

const FLAG = '--target';

/**
 * @param hasRules whether rules hold of the rows
 * @throws UsageError for a column that the model has not got, and under rules
 */
export function placeOfTarget(
  { table: { variables, leftOut } }: TabularModel,
  name: string,
  hasRules: boolean,
): number {
  if (hasRules)
    throw new UsageError({
      got: `${FLAG} with --rule or --rules`,
      expected: 'one of them: the column is predicted without rules',
      where: FLAG,
      remedy: 'Leave the rules out.',
    });
  const names = variables.map((variable) => variable.name);
  const place = names.indexOf(name);
  if (place >= 0) return place;
  const isLeftOut = leftOut.some((column) => column.name === name);
  throw new UsageError({
    got: isLeftOut ? `${JSON.stringify(name)}, which training left out` : `no column ${JSON.stringify(name)}`,
    expected: 'a column of the model',
    where: FLAG,
    remedy: correctColumn(name, names),
  });
}

/** Prints how well a column is predicted. */
export function showTarget(scores: TargetScores, terminal: Terminal): void {
  const { column, rows, missing, incomplete, measure, logScore, standardError, numbers, labels } = scores;
  const leftOut = missing === 0 ? '' : `; ${counted(missing, 'row')} without a value left out`;
  terminal.result(`${harmlessLine(column)} given all other columns, in ${counted(rows, 'row')}${leftOut}:`);
  const error = standardError === null ? '' : ` ± ${nats(standardError)}`;
  const score = logScore === null ? '-∞' : `${nats(logScore)}${error}`;
  const ofDensity = measure === 'density' ? ', a density, which depends on the unit' : '';
  terminal.result(
    table(
      ['measure', 'value'],
      [
        ['log score', `${score} nats${ofDensity}`],
        ...(numbers === null ? [] : linesOfNumbers(numbers)),
        ...(labels === null ? [] : linesOfLabels(labels)),
      ],
    ),
  );
  if (incomplete > 0)
    terminal.note(
      `orchard: ${counted(incomplete, 'row')} with unknown values in other columns: summed out, by samples where the model cannot do it exactly`,
    );
  if (scores.unusedEqualities.length > 0)
    terminal.note(
      `orchard: ${harmlessLine(column)} is often equal to ${scores.unusedEqualities.map(harmlessLine).join(', ')}, which these figures do not use`,
    );
}

function linesOfNumbers({ unit, crps, intervals }: NumberScores): string[][] {
  const measured = (value: number): string => `${value.toPrecision(4)}${unit === null ? '' : ` ${unit}`}`;
  return [
    ['CRPS', measured(crps)],
    ...intervals.map(({ share, coverage, width }) => [
      `interval of ${percentTo(share, 0)}`,
      `holds ${percentTo(coverage, 1)} of the values, mean width ${measured(width)}`,
    ]),
  ];
}

function linesOfLabels({ logLoss, brier, accuracy }: LabelScores): string[][] {
  return [
    ['log loss', logLoss === null ? '∞' : nats(logLoss)],
    ['Brier score', brier.toFixed(4)],
    ['accuracy', percentTo(accuracy, 1)],
  ];
}
