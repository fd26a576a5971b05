import type { BitMatrix } from '@orchard/dataset';
import type { Tried } from './computations.js';
import type { ForestMixtureModel } from './forest-mixture-model.js';

/** Components that are shown, and of each its most particular columns; what is left out is said. */
const COMPONENTS = 40;
const COLUMNS = 6;

/** What only this family has to show: its templates, and what else was tried. */
export async function sectionsOf(
  model: ForestMixtureModel,
  train: BitMatrix,
  tried: readonly Tried[],
  chosen: number,
): Promise<readonly string[]> {
  // the drawing libraries take longer to load than small mixtures to learn
  const { dimensionLabel, escapeHtml, formatCount, formatFigure, formatShare } = await import('@orchard/report');
  const { mixture, names, shape, dimensions } = model;
  const { weights, components } = mixture;
  const means = Float64Array.from(train.columnCounts(), (ones) => ones / train.rows);
  const order = Array.from(weights.keys()).sort((a, b) => weights[b]! - weights[a]! || a - b);
  const lines = order.slice(0, COMPONENTS).map((k) => {
    const { rates } = components[k]!;
    const gap = (dim: number): number => Math.abs(rates[2 * dim]! - means[dim]!);
    const particular = Array.from({ length: dimensions }, (_, dim) => dim)
      .sort((a, b) => gap(b) - gap(a) || a - b)
      .slice(0, COLUMNS)
      .map((dim) => {
        const name = escapeHtml(dimensionLabel(dim, names, shape));
        return `${name} ${formatShare(rates[2 * dim]!)} (of all ${formatShare(means[dim]!)})`;
      });
    return `<tr><th scope="row">${formatShare(weights[k]!)}</th><td>${particular.join('; ')}</td></tr>`;
  });
  const rest = components.length - lines.length;
  const note = rest > 0 ? `<p class="note">${formatCount(rest)} components of less weight are left out.</p>` : '';
  const explained = `Of each component its weight, and the ${String(Math.min(COLUMNS, dimensions))} columns whose share of ones is farthest from that of all training rows. Of all columns the file has every rate.`;
  const figures = tried.map(({ components: count, pseudoCount, restart, step, valid }, at) => {
    const isChosen = at === chosen;
    const cells = [String(pseudoCount), String(restart), String(step), formatFigure(valid, 4)];
    return `<tr><th scope="row">${formatCount(count)}${isChosen ? ' (chosen)' : ''}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const head = ['components', 'pseudo-count', 'restart', 'steps of EM', 'nats a row on the validation rows'];
  return [
    `<section><h2>The components</h2><p class="note">${explained}</p><div class="scroll"><table><thead><tr><th scope="col">weight</th><th scope="col">ones, where most unlike all rows</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>${note}</section>`,
    `<section><h2>What was tried</h2><p class="note">The validation rows chose among ${formatCount(tried.length)} mixtures, so they flatter it.</p><div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${figures.join('')}</tbody></table></div></section>`,
  ];
}
