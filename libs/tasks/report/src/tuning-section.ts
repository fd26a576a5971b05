import { lossOfFewerPredictors, whichPredictors, type TriedPredictors, type Tuned } from '@orchard/contracts';
import { section } from './section.js';
import { escapeHtml, formatCount, formatFigure, formatGain } from './text.js';

interface Tried {
  readonly name: string;
  readonly validLogLikelihood: number;
  readonly trees: number;
  readonly isChosen: boolean;
}

/** What the run chose for itself, with all that it tried; nothing where all settings were given. */
export function tuningSection(tuned: Tuned | null | undefined): string {
  if (!tuned) return '';
  const { leaves, featureFraction, shrinkage, ordering, pseudoCount, predictors } = tuned;
  const parts: string[] = [];
  if (leaves !== null) {
    const tried = leaves.tried.map((one) => ({
      ...one,
      name: one.shrinkage === undefined ? String(one.leaves) : `${String(one.leaves)} by ${String(one.shrinkage)}`,
      isChosen: one.leaves === leaves.chosen && one.shrinkage === leaves.shrinkage,
    }));
    parts.push(
      leaves.shrinkage === undefined
        ? tableOf(`Leaves of a tree, on ${sampleOf(leaves.dimensions)}`, 'leaves', tried)
        : tableOf('Leaves of a tree by shrinkage, each trained as the network was', 'leaves by shrinkage', tried),
    );
  }
  if (featureFraction !== undefined) {
    const tried = featureFraction.tried.map((one) => ({
      ...one,
      name: String(one.featureFraction),
      isChosen: one.featureFraction === featureFraction.chosen,
    }));
    const what = `Shares of the predictors that a tree may use, on ${sampleOf(featureFraction.dimensions)}`;
    parts.push(tableOf(`${what}, with trees of ${String(featureFraction.leaves)} leaves`, 'share', tried));
  }
  if (shrinkage !== undefined) {
    const tried = shrinkage.tried.map((one) => ({
      ...one,
      name: `${String(one.shrinkage)}, ${formatCount(one.leaves)} leaves`,
      isChosen: one.shrinkage === shrinkage.chosen && one.leaves === shrinkage.leaves,
    }));
    const what = `Shrinkage, since trials still gained at their last round, on ${sampleOf(shrinkage.dimensions)}`;
    parts.push(tableOf(what, 'shrinkage', tried));
  }
  if (pseudoCount !== undefined) {
    const tried = pseudoCount.tried.map((one) => ({
      ...one,
      name: String(one.pseudoCount),
      isChosen: one.pseudoCount === pseudoCount.chosen,
    }));
    parts.push(
      tableOf('What is added to both counts of a leaf, on all dimensions', 'pseudocount', tried, { counted: 'splits' }),
    );
  }
  if (ordering !== null) {
    const tried = ordering.tried.map((one) => ({
      ...one,
      name: one.ordering,
      isChosen: one.ordering === ordering.chosen,
    }));
    parts.push(
      tableOf(`Orderings, on all dimensions, with trees of ${String(ordering.leaves)} leaves`, 'ordering', tried),
    );
  }
  return (
    (parts.length === 0
      ? ''
      : chosenSection(
          parts,
          leaves?.shrinkage === undefined ? 'quickly, by larger steps and fewer of them' : 'as the network was',
        )) + (predictors === undefined ? '' : predictorsSection(predictors))
  );
}

function chosenSection(parts: readonly string[], how: string): string {
  return section(
    'What was tried, and chosen',
    `The run left these to its validation rows: each candidate was trained ${how}, and the likeliest is what the network was then trained with. ` +
      'Nats per row, of the best round of each trial: much too good, since each dimension chose for itself, and lower than the network’s; only their differences say something.',
    parts.join(''),
  );
}

/** What it loses to look at some of the predictors. */
function predictorsSection(told: TriedPredictors): string {
  const { most, affected, dimensions, tried } = told;
  const { difference, standardError } = lossOfFewerPredictors(told);
  const error = standardError === null ? '' : ` ± ${formatFigure(standardError, 3)}`;
  const rows = tried.map((one) => ({
    ...one,
    name: one.predictors === null ? 'all' : `at most ${formatCount(one.predictors)}`,
    isChosen: one.predictors !== null,
  }));
  return section(
    'Predictors that were left out',
    `Each dimension was trained on at most ${formatCount(most)} of those before it, ${whichPredictors(told)}; ${formatCount(affected)} ${affected === 1 ? 'has' : 'have'} more. ` +
      `Quick trials with all of them say what that changes on the validation rows: about ${formatGain(difference, 3)}${error} nats per row over all of these (± a standard error). Nothing was chosen by it.`,
    tableOf(`Predictors, on ${sampleOf(dimensions)}`, 'predictors', rows, { mark: 'this run' }),
  );
}

function sampleOf({ length }: readonly number[]): string {
  return `${formatCount(length)} ${length === 1 ? 'dimension' : 'dimensions'}, spread over the ordering`;
}

function tableOf(
  caption: string,
  head: string,
  tried: readonly Tried[],
  { counted = 'trees', mark = 'chosen' } = {},
): string {
  const best = Math.max(...tried.map(({ validLogLikelihood }) => validLogLikelihood));
  const rows = tried.map(({ name, validLogLikelihood, trees, isChosen }) => {
    const gap = isChosen ? mark : formatGain(validLogLikelihood - best, 4);
    const cells = [formatFigure(validLogLikelihood, 4), gap, formatCount(trees)];
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const heads = [head, 'nats per row', 'behind the best', counted];
  return `<div class="scroll"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${heads.map((one) => `<th scope="col">${one}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
