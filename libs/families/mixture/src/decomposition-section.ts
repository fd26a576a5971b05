import { aggregateTemplates, type ClusterTree } from '@orchard/em';
import { exp, greatestOf, log, meanOf } from '@orchard/numerics';
import type { ForestMixtureModel } from './forest-mixture-model.js';
import { TreePaths } from './tree-paths.js';
import { marginsOf } from './tree-sections.js';

/** Parts of the tree of which a component each is taken apart; those that are left out are said. */
const PARTS = 8;
/**
 * Divisions of a path that are shown one by one, as images and as lists of columns, which are wider; further ones are
 * summed.
 */
const IMAGES = 8;
const LISTS = 3;
/** Of columns without a shape: those that are named of each division, and log-odds below which none is. */
const COLUMNS = 3;
const LEAST = 0.05;
/** CSS pixels. */
const IMAGE = 56;

/** A step of a path, or several at once. */
interface Step {
  /** Where it ends: an inner node, or as `~component` a leaf. */
  readonly node: number;
  /** Log-odds of each column that it adds to those of where it begins. */
  readonly added: Float64Array;
}

/** How what is in the table is shown, as markup. */
interface Drawing {
  readonly explained: string;
  readonly template: (rates: Float64Array) => string;
  readonly root: (rates: Float64Array) => string;
  readonly step: (added: Float64Array, what: string) => string;
}

/**
 * Templates that were shrunk along a tree of clusters as sums of what its divisions add, on the log-odds scale (thesis,
 * figure 2.2). Components are in the order of the tree, and what several have in common is there once.
 *
 * @param tree whose leaves are the components, two at least
 */
export async function decompositionSection(model: ForestMixtureModel, tree: ClusterTree): Promise<string> {
  const { formatCount, formatFigure, formatShare } = await import('@orchard/report');
  const { dimensions } = model;
  const { components, weights } = model.mixture;
  const rates = new Float64Array(components.length * dimensions);
  components.forEach((component, k) => rates.set(marginsOf(component), k * dimensions));
  const odds = aggregateTemplates(rates, dimensions, tree);
  const ratesOf = (component: number): Float64Array =>
    rates.subarray(component * dimensions, (component + 1) * dimensions);
  const oddsAt = (node: number): Float64Array =>
    node < 0
      ? ratesOf(~node).map((rate) => log(rate) - log(1 - rate))
      : odds.subarray(node * dimensions, (node + 1) * dimensions);
  const between = (above: number, node: number): Step => {
    const before = oddsAt(above);
    return { node, added: oddsAt(node).map((own, dim) => own - before[dim]!) };
  };

  const paths = new TreePaths(tree);
  const most = model.shape === null ? LISTS : IMAGES;
  const lines = weightiestOfParts(tree, weights)
    .sort((a, b) => (paths.sidesTo(a) < paths.sidesTo(b) ? -1 : 1))
    .map((component) => {
      const nodes = [0, ...paths.nodesTo(component)];
      const single = nodes.slice(1, most + 1).map((node, at) => between(nodes[at]!, node));
      const further = nodes.length > most + 1 ? between(nodes[most]!, ~component) : null;
      return { component, single, further };
    });
  const steps = lines.flatMap(({ single, further }) => (further === null ? single : [...single, further]));
  const largest = steps.reduce(
    (all, { added }) => added.reduce((high, own) => Math.max(high, Math.abs(own)), all),
    LEAST,
  );
  const drawing = await drawingOf(model, largest);
  const divisions = lines.reduce((most, { single }) => Math.max(most, single.length), 0);
  const hasFurther = lines.some(({ further }) => further !== null);

  /** A cell of so many lines; nothing is ruled below the last one. */
  const cellOf = (line: number, span: number, shown: string): string =>
    `<td rowspan="${String(span)}"${line + span === lines.length ? ' style="border-bottom:0"' : ''}>${shown}</td>`;
  const rows = lines.map(({ component, single, further }, line) => {
    const cells = Array.from({ length: divisions }, (_, at) => {
      const step = single[at];
      if (step === undefined) return '<td></td>';
      const isIn = (other: number): boolean => lines[other]?.single[at]?.node === step.node;
      if (isIn(line - 1)) return '';
      let span = 1;
      while (isIn(line + span)) span++;
      return cellOf(line, span, drawing.step(step.added, `What division ${String(at + 1)} adds`));
    });
    if (line === 0) cells.unshift(cellOf(0, lines.length, drawing.root(odds.subarray(0, dimensions).map(rateOf))));
    if (hasFurther)
      cells.push(`<td>${further === null ? '' : drawing.step(further.added, 'What further divisions add')}</td>`);
    const own = `${drawing.template(ratesOf(component))}${formatShare(weights[component]!)}`;
    return `<tr><th scope="row">${own}</th>${cells.join('')}</tr>`;
  });
  const numbers = Array.from({ length: divisions }, (_, at) => String(at + 1));
  const heads = ['component', 'all', ...numbers, ...(hasFurther ? ['further'] : [])];
  const { depths } = paths;
  const mean = meanOf(depths);
  const [least, deepest] = [depths.reduce((least, one) => Math.min(least, one), Infinity), greatestOf(depths)];
  const deep =
    least === deepest
      ? `at depth ${formatCount(least)}`
      : `at depths ${formatCount(least)} to ${formatCount(deepest)}, ${formatFigure(mean, 1)} in the mean`;
  const which =
    lines.length === components.length
      ? ''
      : ` Shown is of each of the ${String(lines.length)} parts that the first ${String(lines.length - 1)} divisions made the component of most weight, in the order of the tree.`;
  const after = hasFurther ? ` Under "further" is the sum of all divisions after ${String(divisions)}.` : '';
  const explained = `The rows were divided in two, and a part again, into ${formatCount(depths.length)} clusters ${deep}. A component's log-odds are the sum of those of all and of what each division on its way adds; the other side of a division has the opposite.${which} ${drawing.explained}${after}`;
  return `<section><h2>What the components are sums of</h2><p class="note">${explained}</p><div class="wide"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

/** Of images as images, of other columns by those that are moved most. @param largest log-odds that any step adds */
async function drawingOf({ names, shape }: ForestMixtureModel, largest: number): Promise<Drawing> {
  const { dimensionLabel, escapeHtml, formatFigure, formatShare, templateImage } = await import('@orchard/report');
  if (shape !== null) {
    const image = (values: Float64Array, what: string): string => templateImage(values, shape, what, IMAGE);
    return {
      explained: `Green makes a 1 likelier and red a 0, as much as the log-odds that are added; the full colour is ${formatFigure(largest, 2)}. The components and all are drawn as above.`,
      template: (rates) => `${image(rates, 'A template')} `,
      root: (rates) => image(rates, 'The template of all'),
      step: (added, what) =>
        image(
          added.map((own) => own / largest),
          what,
        ),
    };
  }
  const list = (
    values: Float64Array,
    sizeOf: (value: number) => number,
    written: (value: number) => string,
  ): string => {
    const named = Array.from(values.keys())
      .sort((a, b) => sizeOf(values[b]!) - sizeOf(values[a]!) || a - b)
      .slice(0, COLUMNS)
      .filter((dim) => sizeOf(values[dim]!) >= LEAST)
      .map((dim) => `${escapeHtml(dimensionLabel(dim, names, shape))} ${written(values[dim]!)}`);
    return `<span class="note">${named.length === 0 ? 'nothing' : named.join('<br>')}</span>`;
  };
  return {
    explained: `Named are the ${String(COLUMNS)} columns to which a division adds most, if ${formatFigure(LEAST, 2)} at least, and of all those that are 1 most often.`,
    template: () => '',
    root: (rates) => list(rates, (rate) => rate, formatShare),
    step: (added) => list(added, Math.abs, (own) => `${own > 0 ? '+' : ''}${formatFigure(own, 2)}`),
  };
}

function rateOf(odds: number): number {
  return 1 / (1 + exp(-odds));
}

/**
 * The component of most weight in each part that the first divisions made: nodes have their numbers in the order of
 * division.
 */
function weightiestOfParts({ children }: ClusterTree, weights: Float64Array): number[] {
  const inner = children.length / 2;
  const below = new Uint32Array(inner);
  const best = (child: number): number => (child < 0 ? ~child : below[child]!);
  for (let node = inner - 1; node >= 0; node--) {
    const [left, right] = [best(children[2 * node]!), best(children[2 * node + 1]!)];
    below[node] = weights[right]! > weights[left]! ? right : left;
  }
  const divided = Math.min(inner, PARTS - 1);
  return Array.from(children.subarray(0, 2 * divided))
    .filter((child) => child < 0 || child >= divided)
    .map(best);
}
