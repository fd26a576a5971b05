import { isChosenByDimension } from '@orchard/contracts';
import type { ReportFacts, SelectionFacts } from './facts.js';
import { drawPath, selectionSymbol } from './figures/path-figure.js';
import { section } from './section.js';
import { escapeHtml, formatCount } from './text.js';

/** The outlines of the plot's symbols in a box of 12. */
const outlines = {
  diamond: 'M6 .8 9.6 6 6 11.2 2.4 6z',
  cross: 'M4 1H8V4H11V8H8V11H4V8H1V4H4Z',
  square: 'M1.9 1.9h8.2v8.2H1.9z',
  triangle: 'M6 1.2 11.2 10.2H.8z',
  star: 'M6 .6 7.3 4.3 11.2 4.4 8.1 6.8 9.2 10.6 6 8.3 2.8 10.6 3.9 6.8.8 4.4 4.7 4.3z',
} as const;

/** How the networks on a selection's path follow each other. */
const growthOf: Readonly<Record<string, string>> = {
  linearized: 'the network grows by the tree that raises the training likelihood most',
  'linearized-backward': 'the network shrinks by the tree whose loss costs the training likelihood least',
  common: 'the network grows by a tree of every dimension at once',
};

export function pathSection(facts: ReportFacts): string {
  const { path, chosen, selections } = facts;
  if (path === null) return '';
  const isTheDot = ({ trees, valid }: SelectionFacts): boolean =>
    trees === path.chosen.trees && Math.abs(valid - path.chosen.valid) < 1e-9;
  const alike = selections.filter((selection) => selection.name !== path.method && isTheDot(selection));
  const others = selections.filter((selection) => selection.name !== path.method && !isTheDot(selection));
  const { whole, closeUp, shown } = drawPath(path, others, chosen.name);
  return section(
    `The path of the ${path.method} selection`,
    whatItIs(facts) +
      (chosen.refit === 'again'
        ? ' All likelihoods here are those before the network was trained again on training and validation rows, which leaves no rows for a curve.'
        : chosen.refit
          ? ' All likelihoods here are those before the refit.'
          : ''),
    `<div class="key"><span><i></i>validation</span><span><i class="train"></i>training</span>` +
      `<span><i class="dot"></i>${dotName(facts, alike)}</span>${shown.map((selection) => keyOf(selection, chosen.name)).join('')}</div>` +
      `<div class="two"><figure class="plot-figure">${whole}<figcaption>The whole path</figcaption></figure><figure class="plot-figure">${closeUp}<figcaption>Around the dot</figcaption></figure></div>`,
  );
}

/** What the path has to do with the network of the report: the individual selection's network is on none. */
function whatItIs({ path, chosen, selections }: ReportFacts): string {
  const { method, isOfNetwork, chosen: dot } = path!;
  const growth = growthOf[method] ?? 'networks of growing size follow each other';
  if (isOfNetwork) {
    return `On this path ${growth}. Of all networks on it the one with the best validation likelihood is kept: this network, at ${formatCount(dot.trees)} trees.`;
  }
  const own = selections.find(({ name }) => name === chosen.name);
  return (
    `This network is on no path: its rounds were chosen dimension by dimension (${escapeHtml(chosen.name)} selection${own === undefined ? '' : `, ${formatCount(own.trees)} trees`}). ` +
    `Shown for comparison is the path of the ${method} selection, on which ${growth}; that selection would keep another network, at ${formatCount(dot.trees)} trees.`
  );
}

function dotName({ path, chosen }: ReportFacts, alike: readonly SelectionFacts[]): string {
  const names = alike.map(({ name }) => escapeHtml(name)).join(' and ');
  const main = path!.isOfNetwork ? `this network (${escapeHtml(chosen.name)})` : `what ${path!.method} would keep`;
  return names === '' ? main : `${main}; ${names} chose the same number of trees`;
}

function keyOf({ name }: SelectionFacts, chosen: string): string {
  const who = name === chosen ? `this network (${escapeHtml(name)})` : escapeHtml(name);
  const caution = isChosenByDimension(name) ? ', too good to be compared' : '';
  return `<span><svg viewBox="0 0 12 12" aria-hidden="true"><path d="${outlines[selectionSymbol(name)]}"/></svg>${who}, by its validation${caution}</span>`;
}
