import { nats, percentTo, table } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import type { Terminal } from '../../output/terminal.js';
import type { Judgement, Membership } from '@orchard/analysis';

/** One figure, what is best of it, and what it measures. */
interface Figure {
  readonly name: string;
  readonly value: string;
  readonly best: string;
  readonly what: string;
}

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
  const rows = figures.map(({ name, value, best }) => [name, value, best]);
  const lines = table(['', 'value', 'best'], rows).split('\n');
  lines.forEach((line, at) => {
    terminal.result(harmlessLine(at === 0 ? line : `${line}  ${figures[at - 1]!.what}`));
  });
}

const share = (value: number): string => value.toFixed(3);

function qualityOf({ c2st, auc, shape, trend }: Judgement): Figure[] {
  return [
    // against the rows that trained, copies have the best figure
    {
      name: 'AUC, held-out rows',
      value: share(auc.heldOut),
      best: share(auc.heldOutOfTraining),
      what: 'boosting that tells samples from held-out rows; best is what training rows have against them',
    },
    {
      name: 'C2ST',
      value: share(c2st),
      best: '1',
      what: '2 - 2 AUC of the same against training rows, which copies raise',
    },
    { name: 'Shape', value: share(shape), best: '1', what: 'distributions of columns: KSComplement, TVComplement' },
    {
      name: 'Trend',
      value: share(trend),
      best: '1',
      what: 'dependence of pairs: CorrelationSimilarity, ContingencySimilarity',
    },
  ];
}

function privacyOf({ dcrShare, dcrError, copies, copiesOfHeldOut }: Judgement): Figure[] {
  return [
    {
      name: 'DCR share',
      value: `${share(dcrShare)} ± ${share(dcrError)}`,
      best: '0.500',
      what: 'samples that are nearer to a training row than to a held-out row',
    },
    {
      name: 'exact copies',
      value: percentTo(copies, 2),
      best: percentTo(copiesOfHeldOut, 2),
      what: 'samples that equal a training row; best is what held-out rows have',
    },
  ];
}

function membershipFigures({ gap, gapError, auc }: Membership): Figure[] {
  return [
    {
      name: 'likelihood gap',
      value: `${nats(gap)} ± ${nats(gapError)}`,
      best: '0',
      what: 'nats that a training row is likelier than a held-out row',
    },
    {
      name: 'membership AUC',
      value: share(auc),
      best: '0.500',
      what: 'how well the likelihood alone tells training from held-out rows',
    },
  ];
}
