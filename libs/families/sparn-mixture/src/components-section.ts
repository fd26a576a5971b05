import type { Tying } from '@orchard/logistic';
import type { Mixture } from '@orchard/members';
import type { DensityModel } from '@orchard/model';
import type { ColumnOfComponents } from '@orchard/sparse-network';
import { signed, tableOf } from './report-tables.js';
import { triedCells, triedHeads, type TriedMixture } from './tried-mixture.js';

interface Tried {
  readonly model: DensityModel;
  readonly tried: readonly TriedMixture[];
  /** Place among these. */
  readonly chosen: number;
  /** What components share and what not, where several were chosen. */
  readonly parts: readonly ColumnOfComponents[] | null;
}

/** Components that are shown, and of each what is most its own; what is left out is said. */
const COMPONENTS = 40;
const SHOWN = 4;

const words = {
  untied: 'Every component has weights of its own.',
  tied: 'All components share their weights and differ by their intercepts alone.',
  auto: 'A weight is what all components share, plus what one of them has of its own where that pays.',
};

/** What only mixtures have to show: their components, what is shared, and what else was tried. */
export async function componentSections(
  { model, tried, chosen, parts }: Tried,
  tying: Tying,
): Promise<readonly string[]> {
  const report = await import('@orchard/report');
  const { dimensionLabel, escapeHtml, formatCount, formatShare } = report;
  const figures = tried.map((each, at) => {
    const head = `${formatCount(each.components)}${at === chosen ? ' (chosen)' : ''}`;
    return `<tr><th scope="row">${head}</th>${triedCells(each, report)}</tr>`;
  });
  const heads = ['components', ...triedHeads];
  const choice = `<section><h2>The mixtures tried</h2><p class="note">Of each step the λ that the validation rows liked best. They chose among all of these, so they flatter the chosen one.</p>${tableOf(heads, figures)}</section>`;
  if (parts === null) return [choice];

  const { weights, names, shape } = model as Mixture;
  const nameOf = (column: number): string => escapeHtml(dimensionLabel(column, names, shape));
  const order = Array.from(weights.keys()).sort((a, b) => weights[b]! - weights[a]! || a - b);
  const shown = order.slice(0, COMPONENTS);
  const means = parts.map(({ intercepts }) => intercepts.reduce((sum, own, h) => sum + weights[h]! * own, 0));
  const lines = shown.map((h) => {
    const apart = parts.map(({ intercepts }, column) => ({ column, by: intercepts[h]! - means[column]! }));
    const own = parts.flatMap((part, column) =>
      part.own.weights.flatMap((weight, at) =>
        part.own.components[at] === h ? [{ column, by: weight, predictor: part.own.predictors[at]! }] : [],
      ),
    );
    const largest = <One extends { readonly by: number }>(all: One[]): One[] =>
      all.sort((a, b) => Math.abs(b.by) - Math.abs(a.by)).slice(0, SHOWN);
    const count = own.length;
    const cells = [
      largest(apart)
        .map(({ column, by }) => `${nameOf(column)} ${signed(by)}`)
        .join('; '),
      formatCount(count),
      largest(own)
        .map(({ column, by, predictor }) => `${nameOf(column)} by ${nameOf(predictor)} ${signed(by)}`)
        .join('; '),
    ];
    return `<tr><th scope="row">${formatShare(weights[h]!)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const rest = weights.length - shown.length;
  const left = rest > 0 ? `<p class="note">${formatCount(rest)} components of less weight are left out.</p>` : '';
  const { shared, own } = tried[chosen]!;
  const note = `${words[tying]} In all ${formatCount(shared)} shared weights that are not 0, and ${formatCount(own)} of one component. Of each component its weight, and the ${String(SHOWN)} columns and weights that are most its own.`;
  const head = ['weight', 'intercepts most unlike the mean of all', 'weights of its own', 'greatest of these'];
  return [
    `<section><h2>The components</h2><p class="note">${note}</p>${tableOf(head, lines)}${left}</section>`,
    choice,
  ];
}
