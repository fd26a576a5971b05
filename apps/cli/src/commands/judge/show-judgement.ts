import { nats, percentTo, table } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import type { Terminal } from '../../output/terminal.js';
import type { Judgement, Membership } from '@orchard/analysis';

/** A figure: its name, its value, what is best of it, and what it measures. */
type Figure = readonly [name: string, value: string, best: string, what: string];

/** Columns and pairs that are named: the least alike. */
const SHOWN = 3;

/** Prints how good the samples are, then how private. */
export function showJudgement(judged: Judgement, membership: Membership | null, terminal: Terminal): void {
  printFigures(qualityOf(judged), terminal);
  const leastAlike = judged.columns.toSorted((a, b) => a.score - b.score).slice(0, SHOWN);
  terminal.faint(`least alike: ${leastAlike.map(({ column, score }) => `${column} ${score.toFixed(3)}`).join(', ')}`);
  const pairs = judged.pairs.toSorted((a, b) => a.score - b.score).slice(0, SHOWN);
  if (pairs.length > 0)
    terminal.faint(
      `pairs: ${pairs.map(({ columns, score }) => `${columns.join(' and ')} ${score.toFixed(3)}`).join(', ')}`,
    );
  terminal.result('');
  printFigures([...privacyOf(judged), ...(membership === null ? [] : membershipFigures(membership))], terminal);
  for (const { row, trainingRow, distance, heldOutDistance } of judged.nearest)
    terminal.faint(
      `sample ${String(row)} is ${distance.toFixed(4)} from training row ${String(trainingRow)}, ${heldOutDistance.toFixed(4)} from the nearest held-out row`,
    );
  for (const { row, excess } of membership?.rowsAtRisk ?? [])
    terminal.faint(
      `training row ${String(row)} is ${nats(excess)} nats likelier than the held-out rows that are most like it`,
    );
}

function printFigures(figures: readonly Figure[], terminal: Terminal): void {
  const rows = figures.map((figure) => figure.slice(0, 3));
  const lines = table(['', 'value', 'best'], rows).split('\n');
  lines.forEach((line, at) => {
    terminal.result(harmlessLine(at === 0 ? line : `${line}  ${figures[at - 1]![3]}`));
  });
}

const share = (value: number): string => value.toFixed(3);

function qualityOf({ c2st, auc, shape, trend }: Judgement): Figure[] {
  return [
    // against the rows that trained, copies have the best figure
    [
      'AUC, held-out rows',
      share(auc.heldOut),
      share(auc.heldOutOfTraining),
      'boosting that tells samples from held-out rows; best is what training rows have against them',
    ],
    ['C2ST', share(c2st), '1', '2 - 2 AUC of the same against training rows, which copies raise'],
    ['Shape', share(shape), '1', 'distributions of columns: KSComplement, TVComplement'],
    ['Trend', share(trend), '1', 'dependence of pairs: CorrelationSimilarity, ContingencySimilarity'],
  ];
}

function privacyOf({ dcrShare, dcrError, copies, copiesOfHeldOut }: Judgement): Figure[] {
  return [
    [
      'DCR share',
      `${share(dcrShare)} ± ${share(dcrError)}`,
      '0.500',
      'samples that are nearer to a training row than to a held-out row',
    ],
    [
      'exact copies',
      percentTo(copies, 2),
      percentTo(copiesOfHeldOut, 2),
      'samples that equal a training row; best is what held-out rows have',
    ],
  ];
}

function membershipFigures({ gap, gapError, auc }: Membership): Figure[] {
  return [
    [
      'likelihood gap',
      `${nats(gap)} ± ${nats(gapError)}`,
      '0',
      'nats that a training row is likelier than a held-out row',
    ],
    ['membership AUC', share(auc), '0.500', 'how well the likelihood alone tells training from held-out rows'],
  ];
}
