import { isChosenByDimension } from '@orchard/contracts';
import type { ReportFacts, SelectionFacts } from './facts.js';
import { section } from './section.js';
import { escapeHtml, formatCount, formatFigure } from './text.js';

/** One column of figures; `best` is what is set in bold, where its figures may be compared at all. */
interface Column {
  readonly head: string;
  readonly read: (selection: SelectionFacts) => number | null;
  readonly comparable: boolean;
}

/**
 * The four selections. Only figures of rows that nothing was chosen by are set against each other: the validation rows
 * chose, the individual selection once a dimension, and so flatter it most.
 */
export function selectionSection(facts: ReportFacts): string {
  const { selections, chosen } = facts;
  const all: readonly Column[] = [
    { head: 'training', read: ({ train }) => train, comparable: false },
    { head: 'validation', read: ({ valid }) => valid, comparable: false },
    { head: 'test', read: ({ test }) => test, comparable: true },
    {
      head: chosen.refit === 'again' ? 'test, trained again' : 'test, refitted',
      read: ({ refitTest }) => refitTest,
      comparable: true,
    },
  ];
  const columns = all.filter(({ read }) => selections.some((selection) => read(selection) !== null));
  const rows = selections.map((selection) => {
    const isChosen = selection.name === chosen.name;
    const badge = isChosen
      ? `<span class="badge">${chosen.refit === 'again' ? 'this network, trained again' : chosen.refit ? 'this network, refitted' : 'this network'}</span>`
      : '';
    const rounds =
      selection.rounds === null ? '' : ` <span class="note">(${formatCount(selection.rounds)} rounds each)</span>`;
    const cells = columns.map((column) => cell(column, selection, selections)).join('');
    return `<tr${isChosen ? ' class="chosen"' : ''}><th scope="row">${escapeHtml(selection.name)}${badge}</th><td data-label="trees"><span>${formatCount(selection.trees)}${rounds}</span></td>${cells}</tr>`;
  });
  const hasTest = columns.some(({ comparable }) => comparable);
  const heads = ['selection', 'trees', ...columns.map(({ head }) => head)];
  return section(
    'Four ways to choose the rounds',
    `Each dimension was boosted on its own; a selection decides how many of its trees the network keeps. Mean log-likelihood in nats per row${hasTest ? '; bold is the best of a test column' : ''}.`,
    `<table class="selections"><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>` +
      `<p class="note">The validation rows have chosen the rounds, so likelihoods on them are too good: a little where one of the networks on a path was chosen, much more for <b>*</b>, where every dimension chose for itself, and which may not be compared with the others. ${
        hasTest
          ? 'The test rows have chosen nothing: compare there.'
          : 'There were no test rows: which network is best only fresh rows can say.'
      }</p>`,
  );
}

function cell(column: Column, selection: SelectionFacts, selections: readonly SelectionFacts[]): string {
  const { head, read, comparable } = column;
  const value = read(selection);
  const best = Math.max(...selections.map((each) => read(each) ?? -Infinity));
  const flattered = head === 'validation' && isChosenByDimension(selection.name);
  const classes =
    comparable && value !== null && value === best ? ' class="best"' : flattered ? ' class="flattered"' : '';
  return `<td data-label="${head}"${classes}><span>${value === null ? '–' : formatFigure(value, 3)}${flattered ? '<b>*</b>' : ''}</span></td>`;
}
