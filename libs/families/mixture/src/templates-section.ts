import type { BitMatrix } from '@orchard/dataset';
import type { ClusterTree } from '@orchard/em';
import type { Tried } from './candidates.js';
import { decompositionSection } from './decomposition-section.js';
import type { ForestMixtureModel } from './forest-mixture-model.js';
import { marginsOf, treeSections } from './tree-sections.js';

/** The mixture of a run, and what all candidates were worth. */
export interface Chosen {
  readonly model: ForestMixtureModel;
  readonly tried: readonly Tried[];
  /** The number of the candidate that it is. */
  readonly chosen: number;
}

/** Components that are shown, and of each its most particular columns; what is left out is said. */
const COMPONENTS = 40;
const COLUMNS = 6;

/**
 * What only this family has to show: its templates, what they are sums of or their trees if they have any, and what
 * else was tried.
 *
 * @param tree along which templates were shrunk
 */
export async function sectionsOf(
  { model, tried, chosen }: Chosen,
  train: BitMatrix,
  hierarchy: 'none' | 'l1' | 'l2',
  tree: ClusterTree | null,
): Promise<readonly string[]> {
  // the drawing libraries take longer to load than small mixtures to learn
  const { formatCount, formatFigure, formatShare, SHADES, templateImage } = await import('@orchard/report');
  const { mixture, shape } = model;
  const { weights, components } = mixture;
  const order = Array.from(weights.keys()).sort((a, b) => weights[b]! - weights[a]! || a - b);
  const shown = order.slice(0, COMPONENTS);
  const rest = components.length - shown.length;
  const note = rest > 0 ? `<p class="note">${formatCount(rest)} components of less weight are left out.</p>` : '';
  const templates =
    shape === null
      ? await tableOf(model, train, shown)
      : `<p class="note">How often each pixel is 1 under each component, in ${String(SHADES)} shades, and the component's weight.</p><div class="pairs">${shown
          .map((k) => {
            const image = templateImage(marginsOf(components[k]!), shape, 'A template');
            return `<figure class="pair">${image}<figcaption>${formatShare(weights[k]!)}</figcaption></figure>`;
          })
          .join('')}</div>`;
  const figures = tried.map(({ components: count, strength, restart, step, valid }, at) => {
    const isChosen = at === chosen;
    const cells = [String(strength), String(restart), String(step), formatFigure(valid, 4)];
    return `<tr><th scope="row">${formatCount(count)}${isChosen ? ' (chosen)' : ''}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const head = [
    'components',
    hierarchy === 'none' ? 'pseudo-count' : `penalty (${hierarchy})`,
    'restart',
    'steps of EM',
    'nats per row on the validation rows',
  ];
  return [
    `<section><h2>The components</h2>${templates}${note}</section>`,
    ...(tree === null || tree.clusters === 1 ? [] : [await decompositionSection(model, tree)]),
    ...(mixture.isOfProducts ? [] : await treeSections(model, shown)),
    `<section><h2>What was tried</h2><p class="note">The validation rows chose among ${formatCount(tried.length)} mixtures, so they flatter it.</p><div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${figures.join('')}</tbody></table></div></section>`,
  ];
}

/** Of each component the columns by which it differs most from all rows. */
async function tableOf(model: ForestMixtureModel, train: BitMatrix, shown: readonly number[]): Promise<string> {
  const { dimensionLabel, escapeHtml, formatShare } = await import('@orchard/report');
  const { mixture, names, shape, dimensions } = model;
  const means = Float64Array.from(train.columnCounts(), (ones) => ones / train.rows);
  const lines = shown.map((k) => {
    const rates = marginsOf(mixture.components[k]!);
    const gap = (dim: number): number => Math.abs(rates[dim]! - means[dim]!);
    const particular = Array.from({ length: dimensions }, (_, dim) => dim)
      .sort((a, b) => gap(b) - gap(a) || a - b)
      .slice(0, COLUMNS)
      .map((dim) => {
        const name = escapeHtml(dimensionLabel(dim, names, shape));
        return `${name} ${formatShare(rates[dim]!)} (of all ${formatShare(means[dim]!)})`;
      });
    return `<tr><th scope="row">${formatShare(mixture.weights[k]!)}</th><td>${particular.join('; ')}</td></tr>`;
  });
  const explained = `Of each component its weight, and the ${String(Math.min(COLUMNS, dimensions))} columns whose share of ones is farthest from that of all training rows. Of all columns the file has every rate.`;
  return `<p class="note">${explained}</p><div class="scroll"><table><thead><tr><th scope="col">weight</th><th scope="col">ones, where most unlike all rows</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}
