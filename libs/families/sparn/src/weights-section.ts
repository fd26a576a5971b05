import { signed, tableOf } from '@orchard/sparn-mixture';
import type { Sparn } from '@orchard/sparse-network';

/** A λ, and how good it is. */
export interface TriedPenalty {
  readonly penalty: number;
  /** Not 0, of all columns. */
  readonly weights: number;
  /** Mean nats of the validation rows. */
  readonly valid: number;
}

/** Columns that are shown, and of each its greatest weights; what is left out is said. */
const COLUMNS = 200;
const WEIGHTS = 8;

/**
 * What only these networks have to show: which columns predict which, how strongly, and the λ that the validation rows
 * chose.
 */
export async function weightSections(model: Sparn, tried: readonly TriedPenalty[]): Promise<readonly string[]> {
  const { dimensionLabel, escapeHtml, formatCount, formatFigure } = await import('@orchard/report');
  const { dimensions, names, shape, sparse, specification } = model;
  const { intercepts, starts, predictors, weights } = sparse;
  const nameOf = (column: number): string => escapeHtml(dimensionLabel(column, names, shape));

  const lines = Array.from({ length: Math.min(COLUMNS, dimensions) }, (_, column) => {
    const own = Array.from({ length: starts[column + 1]! - starts[column]! }, (_, at) => starts[column]! + at);
    const greatest = own
      .sort((a, b) => Math.abs(weights[b]!) - Math.abs(weights[a]!) || a - b)
      .slice(0, WEIGHTS)
      .map((at) => `${nameOf(predictors[at]!)} ${signed(weights[at]!)}`);
    if (own.length > WEIGHTS) greatest.push(`${formatCount(own.length - WEIGHTS)} more`);
    const told = greatest.length === 0 ? 'by none' : greatest.join('; ');
    return `<tr><th scope="row">${nameOf(column)}</th><td>${signed(intercepts[column]!)}</td><td>${told}</td></tr>`;
  });
  const rest = dimensions - lines.length;
  const note = rest > 0 ? `<p class="note">${formatCount(rest)} more columns are left out.</p>` : '';
  const explained = `Log-odds that a column is 1: the intercept, plus a weight where the other column is 1, minus it where that is 0. The ${String(WEIGHTS)} greatest weights of each column.`;

  const { chosen } = specification as { readonly chosen: number };
  const figures = tried.map(({ penalty, weights: count, valid }) => {
    const head = `${String(penalty)}${penalty === chosen ? ' (chosen)' : ''}`;
    return `<tr><th scope="row">${head}</th><td>${formatCount(count)}</td><td>${formatFigure(valid, 4)}</td></tr>`;
  });
  const ends = [tried[0]!.penalty, tried.at(-1)!.penalty];
  const isAtEnd = tried.length > 1 && ends.includes(chosen);
  const flattered = `The validation rows chose among ${formatCount(tried.length)}, so they flatter it.`;
  const beyond = isAtEnd ? ' It is at the end of what was tried: beyond it may be a better one.' : '';
  return [
    `<section><h2>The weights</h2><p class="note">${explained}</p>${tableOf(['column', 'intercept', 'weights'], lines)}${note}</section>`,
    `<section><h2>The penalties tried</h2><p class="note">${flattered}${beyond}</p>${tableOf(['penalty λ', 'weights that are not 0', 'nats per row on the validation rows'], figures)}</section>`,
  ];
}
