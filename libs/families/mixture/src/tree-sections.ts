import { BitMatrix } from '@orchard/dataset';
import type { Forest } from '@orchard/forests';
import { log } from '@orchard/numerics';
import type { ForestMixtureModel } from './forest-mixture-model.js';

/** Components whose trees are drawn, and edges of a component that the table names; what is left out is said. */
const DRAWN = 3;
const EDGES = 6;

/** Of a mixture of trees: the edges in which its components differ, and the trees of the weightiest, drawn. */
export async function treeSections(model: ForestMixtureModel, shown: readonly number[]): Promise<readonly string[]> {
  const { columnTreeSection, dimensionLabel, escapeHtml, formatCount, formatFigure, formatShare } =
    await import('@orchard/report');
  const { mixture, names, shape, dimensions } = model;
  const { weights, components } = mixture;
  const edgeOf = (parents: Int32Array, column: number): number =>
    Math.min(parents[column]!, column) * dimensions + Math.max(parents[column]!, column);
  const holders = new Map<number, number>();
  for (const { parents } of components)
    parents.forEach((parent, column) => {
      if (parent < 0) return;
      const edge = edgeOf(parents, column);
      holders.set(edge, (holders.get(edge) ?? 0) + 1);
    });

  const name = (column: number): string => escapeHtml(dimensionLabel(column, names, shape));
  const lines = shown.map((k) => {
    const forest = components[k]!;
    const { parents } = forest;
    const information = edgeInformation(forest);
    const own = Array.from(parents.keys())
      .filter((column) => parents[column]! >= 0 && holders.get(edgeOf(parents, column)) === 1)
      .sort((a, b) => information[b]! - information[a]! || a - b);
    const named = own
      .slice(0, EDGES)
      .map((column) => `${name(parents[column]!)} – ${name(column)} ${formatFigure(information[column]!, 4)}`);
    return `<tr><th scope="row">${formatShare(weights[k]!)}</th><td>${formatCount(own.length)}</td><td>${named.join('; ')}</td></tr>`;
  });
  const every = Array.from(holders.values()).filter((count) => count === components.length).length;
  const explained = `The ${formatCount(components.length)} trees have ${formatCount(holders.size)} edges between them, ${formatCount(every)} of which all have. Of each component how many no other has, and the ${String(EDGES)} of these that tell most, in nats per row of the component.`;
  const table = `<section><h2>Edges of one component</h2><p class="note">${explained}</p><div class="scroll"><table><thead><tr><th scope="col">weight</th><th scope="col">edges of its own</th><th scope="col">those that tell most</th></tr></thead><tbody>${lines.join('')}</tbody></table></div></section>`;
  const drawn = shown.slice(0, DRAWN);
  const trees = drawn.map((k, at) =>
    columnTreeSection(
      { parents: components[k]!.parents, information: edgeInformation(components[k]!), names, shape },
      `The tree of weight ${formatShare(weights[k]!)}, ${String(at + 1)} of the ${formatCount(drawn.length)} that are drawn`,
    ),
  );
  return [table, ...trees];
}

/** P(1) of each column of a forest of all columns. */
export function marginsOf(forest: Forest): Float64Array {
  const nothing = BitMatrix.create(1, forest.size);
  const margins = new Float64Array(forest.size);
  forest.marginalsInto(nothing, nothing, 0, margins, 0);
  return margins;
}

/** I(column; its parent) in nats under a forest of all columns; 0 of roots. */
export function edgeInformation(forest: Forest): Float64Array {
  const { parents, rates } = forest;
  const margins = marginsOf(forest);
  return Float64Array.from(parents, (parent, column) => {
    if (parent < 0) return 0;
    const one = margins[parent]!;
    const told = (1 - one) * entropyOf(rates[2 * column]!) + one * entropyOf(rates[2 * column + 1]!);
    return Math.max(0, entropyOf(margins[column]!) - told);
  });
}

function entropyOf(rate: number): number {
  return -(rate * log(rate) + (1 - rate) * log(1 - rate));
}
