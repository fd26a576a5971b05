import type { VariantSummary } from '@orchard/contracts';
import type { LbarnRun } from './lbarn-run.js';

/** The logistic start of one conditional. */
export interface LogisticStart {
  readonly penalty: number;
  /** Not 0, without the intercept. */
  readonly weights: number;
}

/** The starts of a network's conditionals, of those that have any, in no order. */
export interface Starts {
  readonly logistic: readonly LogisticStart[];
  /** Of each conditional that starts from exclusive columns: the chance that they are wrong. */
  readonly exclusive: readonly number[];
}

/** How a network was trained otherwise than usual, with what was chosen; null where it was not. */
export function describeVariant({ specification, ordering }: LbarnRun, starts: Starts): VariantSummary | null {
  const { gradients, dropout, exclusive, start, pseudoCount, criterion, maxPredictors, nearPredictors } = specification;
  const { rowsPerTree } = specification;
  const words = [gradients, dropout, exclusive, pseudoCount, maxPredictors, rowsPerTree];
  if (words.every((word) => word === undefined) && start !== 'logistic') return null;
  return {
    ...(gradients !== undefined && { gradients }),
    ...(dropout !== undefined && { dropout }),
    // all groups of a network have one chance
    ...(exclusive !== undefined && {
      exclusive: { columns: starts.exclusive.length, chance: starts.exclusive[0] ?? null },
    }),
    ...(maxPredictors !== undefined && {
      maxPredictors: {
        most: maxPredictors,
        ...(nearPredictors !== undefined && { near: nearPredictors }),
        columns: ordering.length - 1 - maxPredictors,
      },
    }),
    ...(rowsPerTree !== undefined && { rowsPerTree }),
    ...(pseudoCount !== undefined && {
      singleTree: { pseudoCount, ...(criterion !== undefined && { criterion }) },
    }),
    ...(start === 'logistic' && { logistic: describeStarts(starts.logistic) }),
  };
}

function describeStarts(starts: readonly LogisticStart[]): NonNullable<VariantSummary['logistic']> {
  const penalties = [...new Set(starts.map(({ penalty }) => penalty))].sort((a, b) => b - a);
  return {
    weights: starts.reduce((sum, { weights }) => sum + weights, 0),
    penalties: penalties.map((penalty) => ({
      penalty,
      columns: starts.filter((own) => own.penalty === penalty).length,
    })),
  };
}

/** Of several networks, with the exclusive columns of the first; null where none is trained otherwise. */
export function variantOfAll(variants: readonly (VariantSummary | undefined)[]): VariantSummary | null {
  const [first, ...others] = variants.filter((one) => one !== undefined);
  if (first?.logistic === undefined) return first ?? null;
  const counts = new Map<number, number>();
  const all = [first, ...others].flatMap(({ logistic }) => logistic ?? []);
  for (const { penalty, columns } of all.flatMap(({ penalties }) => penalties))
    counts.set(penalty, (counts.get(penalty) ?? 0) + columns);
  return {
    ...first,
    logistic: {
      weights: all.reduce((sum, { weights }) => sum + weights, 0),
      penalties: [...counts].sort(([a], [b]) => b - a).map(([penalty, columns]) => ({ penalty, columns })),
    },
  };
}
