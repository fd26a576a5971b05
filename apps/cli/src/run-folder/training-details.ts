import {
  isChosenByDimension,
  lossOfFewerPredictors,
  whichPredictors,
  membersSummarySchema,
  mixedSummarySchema,
  selectionMethods,
  summaryKeys,
  summarySchema,
  tunedSchema,
  type MembersSummary,
  type MixedSummary,
  type Refit,
  type Summary,
  type TriedPredictors,
  type Tuned,
  type VariantSummary,
  variantSummarySchema,
} from '@orchard/contracts';
import { describeLine } from '@orchard/model';
import { families } from '@orchard/registry';
import type { z } from 'zod';
import { BITS_PER_NAT, bytes, count, counted, nats, table, withDecimals } from '../output/figures.js';
import { columnFiguresSchema, type TrainedModel } from './trained-document.js';
import type { Terminal } from '../output/terminal.js';

/** Prints all figures of a run: of its choices, members and columns, and what the network is. */
export function showTrainingDetails({ family, summary }: TrainedModel, terminal: Terminal): void {
  const selected = summarySchema.safeParse(summary);
  if (selected.success) showSelections(selected.data, terminal);
  const mixed = mixedSummarySchema.safeParse(summary);
  if (mixed.success) showMembers(mixed.data, membersSummarySchema.safeParse(summary).data?.network ?? null, terminal);
  const tuned = tunedSchema.safeParse(summary['tuned']);
  if (tuned.success) showTuned(tuned.data, terminal);
  const variant = variantSummarySchema.safeParse(summary['variant']);
  if (variant.success) showVariant(variant.data, terminal);
  const { network, dataset } = summary;
  const figures = columnFiguresSchema.safeParse(summary['variables']);
  if (figures.success) showVariables(figures.data, family, mixed.success, terminal);
  const test = network.testLogLikelihood;
  const least = summary['likelihoodIs'] === undefined ? '' : 'at least ';
  const bits = (value: number): string => `${(-value * BITS_PER_NAT).toFixed(3)} bits`;
  const { selection, refit, members } = network as {
    readonly selection?: string;
    readonly refit?: Refit;
    readonly members?: number;
  };
  const mixture = members === undefined ? '' : `, ${counted(members, 'member')}`;
  const chosen =
    selection === undefined
      ? ''
      : `${mixture}, ${selection}${refit === 'again' ? ', trained again on training and validation rows' : refit === true ? ', refitted' : ''}`;
  terminal.result(
    `network  ${network.path}  ${bytes(network.bytes)}${chosen}` +
      (test === null
        ? ''
        : `, test ${least}${nats(test)} nats (${bits(test)}${figures.success ? '' : `, ${((-test * BITS_PER_NAT) / dataset.dimensions).toFixed(4)} per dimension`})`),
  );
  terminal.result(`run      ${summary.runId}\n`);
}

/** What the run chose for itself, and what else it tried. */
function showTuned(
  { leaves, featureFraction, shrinkage, ordering, pseudoCount, predictors }: Tuned,
  terminal: Terminal,
): void {
  const lineOf = (
    what: string,
    chosen: string,
    tried: readonly { readonly name: string; readonly validLogLikelihood: number }[],
  ): string => {
    const best = Math.max(...tried.map(({ validLogLikelihood }) => validLogLikelihood));
    const others = tried
      .filter(({ name }) => name !== chosen)
      .map(({ name, validLogLikelihood }) => `${name} ${withDecimals(validLogLikelihood - best, 4)}`);
    return `${what} ${chosen}${others.length === 0 ? '' : `; tried too: ${others.join(', ')}`}`;
  };
  if (leaves !== null) {
    const nameOf = (own: number, shrinkage?: number): string =>
      shrinkage === undefined ? String(own) : `${String(own)} by ${String(shrinkage)}`;
    const tried = leaves.tried.map((one) => ({ ...one, name: nameOf(one.leaves, one.shrinkage) }));
    const on = counted(leaves.dimensions.length, 'dimension');
    const chosen = nameOf(leaves.chosen, leaves.shrinkage);
    const how = leaves.shrinkage === undefined ? 'quick trials of' : 'leaves by shrinkage, trained in full on';
    terminal.result(`${lineOf('leaves  ', chosen, tried)} (nats per row, ${how} ${on})`);
  }
  if (featureFraction !== undefined) {
    const tried = featureFraction.tried.map((one) => ({ ...one, name: String(one.featureFraction) }));
    const on = counted(featureFraction.dimensions.length, 'dimension');
    const chosen = String(featureFraction.chosen);
    terminal.result(`${lineOf('feature fraction', chosen, tried)} (nats per row, quick trials of ${on})`);
  }
  if (shrinkage !== undefined) {
    const nameOf = (one: { readonly shrinkage: number; readonly leaves: number }): string =>
      `${String(one.shrinkage)} with ${counted(one.leaves, 'leaf', 'leaves')}`;
    const tried = shrinkage.tried.map((one) => ({ ...one, name: nameOf(one) }));
    const chosen = nameOf({ shrinkage: shrinkage.chosen, leaves: shrinkage.leaves });
    terminal.result(`${lineOf('shrinkage', chosen, tried)} (trials still gained at their last round)`);
  }
  if (pseudoCount !== undefined) {
    const tried = pseudoCount.tried.map((one) => ({ ...one, name: String(one.pseudoCount) }));
    terminal.result(`${lineOf('pseudocount', String(pseudoCount.chosen), tried)} (nats per row)`);
  }
  if (ordering !== null) {
    const tried = ordering.tried.map((one) => ({ ...one, name: one.ordering }));
    terminal.result(`${lineOf('ordering', ordering.chosen, tried)} (nats per row, quick trials of all dimensions)`);
  }
  if (leaves !== null || featureFraction !== undefined || pseudoCount !== undefined || ordering !== null)
    terminal.result('Chosen by validation rows.\n');
  if (predictors !== undefined) showPredictors(predictors, terminal);
}

/** What it loses to look at some of the predictors. */
function showPredictors(told: TriedPredictors, terminal: Terminal): void {
  const { most, affected, dimensions } = told;
  const { difference, standardError } = lossOfFewerPredictors(told);
  const error = standardError === null ? '' : ` ± ${standardError.toPrecision(2)}`;
  terminal.result(
    `predictors at most ${count(most)}, ${whichPredictors(told)}; ${counted(affected, 'dimension')} ${affected === 1 ? 'has' : 'have'} more before ${affected === 1 ? 'it' : 'them'}.\n` +
      `           Against all of them about ${difference < 0 ? '' : '+'}${difference.toPrecision(3)}${error} nats per row,\n` +
      `           on the validation rows, by quick trials of ${count(dimensions.length)} of these dimensions.\n`,
  );
}

/** How the run was trained otherwise than usual, and what was chosen. */
function showVariant(
  { gradients, dropout, exclusive, rowsPerTree, logistic, singleTree }: VariantSummary,
  terminal: Terminal,
): void {
  const lines: string[] = [];
  if (singleTree !== undefined) {
    lines.push(
      `a single tree a column${singleTree.criterion === 'likelihood' ? ' by gains in likelihood' : ''}, ${String(singleTree.pseudoCount)} added to both counts of a leaf; what is called trees above are its splits`,
    );
  }
  if (gradients !== undefined) lines.push('gradients first order: trees by residuals alone (gradient boosting)');
  if (dropout !== undefined)
    lines.push(`dropout   each round left out earlier trees with probability ${String(dropout)} (DART)`);
  if (exclusive !== undefined)
    lines.push(
      exclusive.chance === null
        ? 'exclusive no group of columns found of which at most one is 1'
        : `exclusive ${counted(exclusive.columns, 'column')} predicted by others of their group, but for a probability of ${exclusive.chance.toExponential(1)}`,
    );
  if (rowsPerTree !== undefined) lines.push(`rows      ${count(rowsPerTree)} of the training rows for each tree`);
  if (logistic !== undefined) {
    const penalties = logistic.penalties.map(({ penalty, columns }) => `${String(penalty)} of ${count(columns)}`);
    lines.push(
      `start     logistic: ${counted(logistic.weights, 'weight')}; lambda ${penalties.join(', ')} ${penalties.length === 0 ? 'of no column' : 'columns'}`,
    );
  }
  // predictors that were left out are reported with their loss
  if (lines.length > 0) terminal.result(`${lines.join('\n')}\n`);
}

/**
 * What each member is worth, and what it adds to those before it.
 *
 * @param chosen how networks were chosen; null of other models, all of which are refitted
 */
function showMembers(
  { members, judged }: MixedSummary,
  chosen: MembersSummary['network'] | null,
  terminal: Terminal,
): void {
  const rows = members.map((own, at) => [
    `${String(own.member)}  ${own.ordering}`,
    own.folds.length === 1 ? String(own.folds[0]) : `${String(own.folds.length)} folds`,
    count(own.trees),
    nats(own.foldLogLikelihood),
    nats(own.heldOutLogLikelihood),
    nats(own.togetherLogLikelihood),
    at === 0 ? '' : withDecimals(own.togetherLogLikelihood - members[at - 1]!.togetherLogLikelihood, 4),
  ]);
  terminal.result(table(['member', 'fold', 'trees', 'on its fold', `${judged} alone`, 'together', 'adds'], rows));
  const unseen = members.reduce((sum, { foldLogLikelihood }) => sum + foldLogLikelihood, 0) / members.length;
  terminal.result(
    `On rows that did not train: ${nats(unseen)} nats per row, the mean of the members, each on its fold. The mixture is likelier.`,
  );
  terminal.result(
    `Nats per row. A member's fold chose its rounds${chosen?.refit === 'again' ? ', before it was trained again on all rows' : chosen?.refit === false ? '' : ', before the refit on all rows'}: that figure is ${chosen !== null && isChosenByDimension(chosen.selection) ? 'much too good, since each dimension chose for itself' : 'a little too good'}. ` +
      (judged === 'test'
        ? 'The test rows chose nothing.'
        : 'Validation rows trained all members but those of one fold: their figures are far too good and only compare members. Add test rows (--test).'),
  );
  terminal.result('');
}

/** For a table: the log-likelihood of each variable, the likeliest last. */
function showVariables(
  variables: z.infer<typeof columnFiguresSchema>,
  family: string,
  isMixed: boolean,
  terminal: Terminal,
): void {
  const hasTest = variables.some(({ test }) => test !== null);
  const hasLeaves = variables.some(({ leaves }) => leaves !== undefined);
  const rows = variables.map(({ name, train, valid, test, leaves = [] }) => [
    name,
    nats(train),
    nats(valid),
    ...(hasTest ? [test === null ? '-' : nats(test)] : []),
    ...(hasLeaves ? [leaves.join(',')] : []),
  ]);
  terminal.result(
    table(['nats per row', 'train', 'valid', ...(hasTest ? ['test'] : []), ...(hasLeaves ? ['leaves'] : [])], rows),
  );
  if (hasLeaves) terminal.result('Leaves of trees: found by each variable on its validation rows, by quick trials.');
  const lines = variables.flatMap(({ name, line }) => (line === undefined ? [] : [describeLine(name, line)]));
  if (lines.length > 0) terminal.result(`Trees start from a line: ${lines.join('; ')}.`);
  const chosen = families.all.find(({ name }) => name === family)?.chosenByValidation;
  const caution = isMixed
    ? ` Train and valid are the mean of the members alone, each on its own rows and on its fold, which chose its rounds, before the refit${hasTest ? '; test is the mixture' : ''}.`
    : chosen === undefined
      ? ''
      : ` Validation rows chose ${chosen.what}: their figures are a little too good.`;
  terminal.result(`Numbers in bins have a density, in the units of their column.${caution}\n`);
}

/** What each way to choose the rounds gave; a star marks the one of this network. */
function showSelections({ selections, network, dataset }: Summary, terminal: Terminal): void {
  const figure = (value: number | null | undefined): string => (typeof value === 'number' ? nats(value) : '-');
  const hasTest = dataset.rows.test !== null;
  const rows = selectionMethods.flatMap((method) => {
    const figures = selections[summaryKeys[method]];
    if (figures === undefined) return [];
    const { trees, trainLogLikelihood, validLogLikelihood, testLogLikelihood, refit } = figures;
    const mark = method === network.selection ? '*' : ' ';
    const cells = [
      `${mark} ${method}`,
      count(trees),
      figure(trainLogLikelihood),
      `${figure(validLogLikelihood)}${isChosenByDimension(method) ? '!' : ' '}`,
      figure(testLogLikelihood),
      figure(refit?.testLogLikelihood),
    ];
    return [cells];
  });
  terminal.result(
    table(
      [
        '  nats per row',
        'trees',
        'train',
        'valid ',
        'test',
        network.refit === 'again' ? 'test, trained again' : 'test, refitted',
      ],
      rows,
    ),
  );
  terminal.result(
    '* this model. Validation rows chose the number of trees, so their likelihoods are a little too good;\n' +
      '! is much too good, since each dimension chose for itself: do not compare it.' +
      (hasTest ? ' Compare on the test rows.' : ' Compare on test rows (--test).') +
      (network.refit === 'again'
        ? '\nThe network was trained again on training and validation rows together, with the rounds that validation rows chose:\n' +
          'figures of train and valid are those of before.'
        : ''),
  );
  terminal.result('');
}
