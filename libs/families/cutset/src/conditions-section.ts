import { Mixture } from '@orchard/members';
import type { DensityModel } from '@orchard/model';
import type { OutlineLine } from '@orchard/report';
import type { Cutset } from './cutset-model.js';
import { isLeaf } from './cutset-tree.js';

/** Nodes that are drawn; what is left out is said. */
const MOST_LINES = 300;

/** The conditions of a network, of a mixture those of its first component: what only this family has to show. */
export async function sectionsOf(model: DensityModel): Promise<readonly string[]> {
  // the drawing libraries take longer to load than networks to learn
  const { dimensionLabel, drawOutline, formatCount, formatShare } = await import('@orchard/report');
  const { names, shape } = model;
  const cutset = (model instanceof Mixture ? model.members[0]! : model) as Cutset;
  const nodes = [...cutset.tree.nodes()];
  const lines: OutlineLine[] = [];
  // of each depth, the node that is open there: its line, and how many of its answers were seen
  const open: { line: number; label: string; rate: number; seen: number }[] = [];
  for (const { node, depth } of nodes.slice(0, MOST_LINES)) {
    const above = open[depth - 1];
    const answer = above?.seen ?? 0;
    if (above !== undefined) above.seen++;
    const share = above === undefined ? 1 : answer === 1 ? above.rate : 1 - above.rate;
    const asked = above === undefined ? '' : `${above.label} = ${String(answer)}: `;
    const what = isLeaf(node)
      ? `${node.forest.parents.some((parent) => parent >= 0) ? 'a tree' : 'a product'} of ${formatCount(node.forest.size)} columns`
      : `asks ${dimensionLabel(node.column, names, shape)}`;
    const line =
      lines.push({
        label: `${asked}${what}`,
        parent: above?.line ?? null,
        ...(above === undefined ? {} : { note: formatShare(share) }),
      }) - 1;
    open.length = depth;
    if (!isLeaf(node)) open.push({ line, label: dimensionLabel(node.column, names, shape), rate: node.rate, seen: 0 });
  }
  const conditions = nodes.filter(({ node }) => !isLeaf(node)).length;
  const cut = nodes.length - lines.length;
  const title = model instanceof Mixture ? 'The conditions of the first component' : 'The conditions';
  const explained = `${formatCount(conditions)} conditions, ${formatCount(nodes.length - conditions)} leaves. Behind each answer its share of the rows that were asked.`;
  const rest = cut > 0 ? `<p class="note">${formatCount(cut)} more nodes are left out of the picture.</p>` : '';
  return [
    `<section><h2>${title}</h2><p class="note">${explained}</p><figure class="plot-figure">${drawOutline(lines, title)}</figure>${rest}</section>`,
  ];
}
