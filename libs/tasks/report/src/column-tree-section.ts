import { drawOutline, type OutlineLine } from './figures/outline-figure.js';
import { section } from './section.js';
import { dimensionLabel, escapeHtml, formatCount, formatFigure } from './text.js';

export interface ColumnTree {
  /** Of each column, -1 of a root. */
  readonly parents: ArrayLike<number>;
  /** Of the edge to the parent, in nats. */
  readonly information: ArrayLike<number>;
  readonly names: readonly string[] | null;
  readonly shape: readonly [number, number] | null;
}

/** Columns that an outline shows; what is left out is said under it. */
const MOST_LINES = 400;

/**
 * The forest drawn as trees with the columns' names; of images over the pixels.
 *
 * @param heading where there are several
 */
export function columnTreeSection(tree: ColumnTree, heading?: string): string {
  const { parents, shape } = tree;
  const edges = Array.from(parents).filter((parent) => parent >= 0).length;
  const title = heading ?? (edges === parents.length - 1 ? 'The tree of columns' : 'The forest of columns');
  const what = `${formatCount(edges)} edges between ${formatCount(parents.length)} columns. Given its neighbours a column depends on no other`;
  if (shape !== null)
    return section(
      title,
      `${what}. A line joins two pixels; the more they tell about each other, the stronger it is. Point at it for the figure.`,
      `<figure class="map">${drawOverPixels(tree, shape)}</figure>`,
    );
  return section(
    title,
    `${what}. Each tree begins at the column in its middle; the figure is the mutual information of an edge, in nats per row.`,
    outlineOf(tree, title),
  );
}

function drawOverPixels(
  { parents, information, names, shape: known }: ColumnTree,
  shape: readonly [number, number],
): string {
  const [height, width] = shape;
  const strongest = Array.from(information).reduce((most, nats) => Math.max(most, nats), 0);
  const center = (column: number): string =>
    `${String((column % width) + 0.5)} ${String(Math.floor(column / width) + 0.5)}`;
  const lines = Array.from(parents, (parent, column) => {
    if (parent < 0) return '';
    const share = strongest > 0 ? information[column]! / strongest : 0;
    const label = (at: number): string => escapeHtml(dimensionLabel(at, names, known));
    return (
      `<path d="M${center(parent)}L${center(column)}" stroke-width="${(0.08 + 0.3 * share).toFixed(3)}">` +
      `<title>${label(parent)} – ${label(column)}: ${formatFigure(information[column]!, 4)} nats</title></path>`
    );
  });
  return (
    `<svg role="img" aria-label="The tree over the pixels" viewBox="0 0 ${String(width)} ${String(height)}" style="shape-rendering:auto">` +
    `<g fill="none" stroke="var(--accent)" stroke-linecap="round">${lines.join('')}</g></svg>`
  );
}

/**
 * The lines of all trees, the largest tree first, each from its middle; of each node first the most informative child.
 */
function outlineOf(tree: ColumnTree, title: string): string {
  const { names, shape } = tree;
  const neighbours: { column: number; nats: number }[][] = Array.from(tree.parents, () => []);
  Array.from(tree.parents).forEach((parent, column) => {
    if (parent < 0) return;
    const nats = tree.information[column]!;
    neighbours[parent]!.push({ column, nats });
    neighbours[column]!.push({ column: parent, nats });
  });
  for (const own of neighbours) own.sort((a, b) => b.nats - a.nats || a.column - b.column);
  const trees = componentsOf(neighbours).sort((a, b) => b.length - a.length || a[0]! - b[0]!);
  const alone = trees.filter(({ length }) => length === 1).map(([column]) => column!);
  const lines: OutlineLine[] = [];
  let total = 0;
  for (const columns of trees) {
    if (columns.length === 1) break;
    total += columns.length;
    const open: { column: number; from: number; line: number | null; nats: number | null }[] = [
      { column: middleOf(columns, neighbours), from: -1, line: null, nats: null },
    ];
    for (let node = open.pop(); node !== undefined && lines.length < MOST_LINES; node = open.pop()) {
      const { column, from, line, nats } = node;
      const own = lines.push({
        label: dimensionLabel(column, names, shape),
        parent: line,
        ...(nats === null ? {} : { note: formatFigure(nats, 4) }),
      });
      for (const next of [...neighbours[column]!].reverse())
        if (next.column !== from) open.push({ column: next.column, from: column, line: own - 1, nats: next.nats });
    }
  }
  const figure = lines.length === 0 ? '' : `<figure class="plot-figure">${drawOutline(lines, title)}</figure>`;
  const cut = total - lines.length;
  const shown = alone.slice(0, MOST_LINES).map((column) => escapeHtml(dimensionLabel(column, names, shape)));
  const rest = alone.length - shown.length;
  const notes = [
    ...(cut > 0 ? [`${formatCount(cut)} more columns are left out of the picture.`] : []),
    ...(alone.length > 0
      ? [`On their own: ${shown.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}.`]
      : []),
  ];
  return `${figure}${notes.map((note) => `<p class="note">${note}</p>`).join('')}`;
}

type Neighbours = readonly (readonly { readonly column: number }[])[];

function componentsOf(neighbours: Neighbours): number[][] {
  const isSeen = new Uint8Array(neighbours.length);
  return neighbours.flatMap((_, column) => {
    if (isSeen[column] === 1) return [];
    const own = reachedFrom(column, neighbours).map((reached) => reached.column);
    for (const reached of own) isSeen[reached] = 1;
    return [own];
  });
}

/** All columns of a tree in the order of their distance from one. */
function reachedFrom(column: number, neighbours: Neighbours): { column: number; before: number }[] {
  const reached = [{ column, before: -1 }];
  for (let at = 0; at < reached.length; at++)
    for (const next of neighbours[reached[at]!.column]!)
      if (at === 0 || next.column !== reached[reached[at]!.before]!.column)
        reached.push({ column: next.column, before: at });
  return reached;
}

/** The column in the middle of a longest path. */
function middleOf(columns: readonly number[], neighbours: Neighbours): number {
  const end = reachedFrom(columns[0]!, neighbours).at(-1)!.column;
  const walk = reachedFrom(end, neighbours);
  const path: number[] = [];
  for (let at = walk.length - 1; at >= 0; at = walk[at]!.before) path.push(walk[at]!.column);
  return path[path.length >> 1]!;
}
