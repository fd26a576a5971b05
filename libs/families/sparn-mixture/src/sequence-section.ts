import type { SparnSequence } from '@orchard/sparse-network';
import { signed, tableOf } from './report-tables.js';
import { triedCells, triedHeads, type TriedMixture } from './tried-mixture.js';

/** What an interval came to. */
export interface ChosenInterval {
  readonly first: number;
  readonly end: number;
  readonly tried: readonly TriedMixture[];
  /** Place among these. */
  readonly chosen: number;
  /** λ of its gate, and weights of it that are not 0; null of the first. */
  readonly gate: { readonly penalty: number; readonly weights: number } | null;
}

/** The greatest weights of an interval's gate. */
const SHOWN = 3;

/** What only sequences of mixtures have to show: what each interval chose, and its gate. */
export async function sequenceSection(model: SparnSequence, intervals: readonly ChosenInterval[]): Promise<string> {
  const report = await import('@orchard/report');
  const { dimensionLabel, escapeHtml, formatCount } = report;
  const { names, shape } = model;
  const nameOf = (column: number): string => escapeHtml(dimensionLabel(column, names, shape));
  const lines = intervals.flatMap(({ first, end, tried, chosen, gate }, at) => {
    const { scores } = model.intervals[at]!.gate;
    const told = Array.from(scores.predictors.keys())
      .sort((a, b) => Math.abs(scores.weights[b]!) - Math.abs(scores.weights[a]!) || a - b)
      .slice(0, SHOWN)
      .map((place) => {
        const component = scores.starts.findIndex((_, h) => scores.starts[h + 1]! > place);
        return `component ${String(component + 1)} by ${nameOf(scores.predictors[place]!)} ${signed(scores.weights[place]!)}`;
      });
    const gates =
      gate === null
        ? 'by nothing: no column comes before'
        : `λ ${String(gate.penalty)}, ${formatCount(gate.weights)} weights${told.length > 0 ? `: ${told.join('; ')}` : ''}`;
    return tried.map((each, place) => {
      const isChosen = place === chosen;
      const head = `${nameOf(first)} to ${nameOf(end - 1)}${isChosen ? ' (chosen)' : ''}`;
      const cells = `<td>${formatCount(each.components)}</td>${triedCells(each, report)}<td>${isChosen ? gates : ''}</td>`;
      return `<tr><th scope="row">${head}</th>${cells}</tr>`;
    });
  });
  const heads = ['columns', 'components', ...triedHeads, 'what tells its components'];
  const note = `Each interval of columns has a mixture of its own; the columns before it tell its components, and with them its columns. The validation rows chose among all lines of an interval, so they flatter the chosen ones, whose nats are what the intervals add to a row. Of what tells components the ${String(SHOWN)} greatest weights.`;
  return `<section><h2>The intervals</h2><p class="note">${note}</p>${tableOf(heads, lines)}</section>`;
}
