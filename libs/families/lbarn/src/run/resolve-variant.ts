import { AUTO, SEARCH, type RunWords, type Variant } from '@orchard/contracts';
import { PipelineError, type RunDatasets } from '@orchard/pipeline';

/**
 * What a specification says of the ways of training that the paper names beside its own, and of predictors that are not
 * looked at; nothing where words ask for none of them. Where no dimension has more predictors than may be looked at, or
 * there are no more rows than a tree may grow on, all are, and nothing is said.
 *
 * @throws PipelineError `bad-request` for words that mean nothing without another
 */
export function resolveVariant(
  words: RunWords,
  start: string,
  { train, valid }: Pick<RunDatasets, 'train' | 'valid'>,
): Variant {
  const { dimensions } = train;
  const {
    rowsPerTree,
    gradients,
    dropout = 0,
    exclusive,
    startPenalty,
    pseudoCount,
    criterion,
    nearPredictors,
  } = words;
  const { maxPredictors = nearPredictors } = words;
  checkSingleTree(words);
  if (startPenalty !== undefined && start !== 'logistic')
    throw new PipelineError('bad-request', {
      got: `a penalty of a logistic start, and the start ${start}`,
      expected: 'a logistic start, which has a penalty',
      where: 'startPenalty',
      remedy: 'Say start logistic (--start logistic), or no penalty.',
    });
  if (exclusive === 'found' && start === 'logistic')
    throw new PipelineError('bad-request', {
      got: 'exclusive columns found, and a logistic start',
      expected: 'one of them: both say what the first round goes on from',
      where: 'exclusive',
      remedy: 'Say start base-rate (--start base-rate), or exclusive none (--exclusive none).',
    });
  if (maxPredictors !== undefined && start === 'logistic')
    throw new PipelineError('bad-request', {
      got: `at most ${maxPredictors} predictors, and a logistic start`,
      expected: 'one of them: a logistic start looks at all columns before',
      where: 'maxPredictors',
      remedy: 'Say start base-rate (--start base-rate), or leave --max-predictors out.',
    });
  if (nearPredictors !== undefined && nearPredictors > maxPredictors!)
    throw new PipelineError('bad-request', {
      got: `${nearPredictors} nearest columns of at most ${maxPredictors!} predictors`,
      expected: 'no more nearest columns than predictors in all',
      where: 'nearPredictors',
      remedy: 'Say a larger --max-predictors, or leave it out to see the nearest alone.',
    });
  const isNarrowed = maxPredictors !== undefined && maxPredictors < dimensions - 1;
  return {
    ...(gradients === 'first' && { gradients }),
    ...(dropout > 0 && { dropout }),
    ...(exclusive === 'found' && { exclusive }),
    ...(isNarrowed && { maxPredictors }),
    ...(isNarrowed && nearPredictors !== undefined && { nearPredictors }),
    ...(rowsPerTree !== undefined && rowsPerTree < train.rows + valid.rows && { rowsPerTree }),
    ...(startPenalty !== undefined && { startPenalty }),
    ...(pseudoCount !== undefined && { pseudoCount }),
    ...(criterion === 'likelihood' && { criterion }),
  };
}

/** Words that say how to boost. */
const boostingWords = [
  ...([
    'rounds',
    'shrinkage',
    'start',
    'startPenalty',
    'gradients',
    'dropout',
    'exclusive',
    'maxPredictors',
    'nearPredictors',
    'rowsPerTree',
    'minLeafWeight',
    'maxLeafValue',
  ] as const),
  ...(['l2', 'featureFraction', 'patience'] as const),
];

function checkSingleTree(words: RunWords): void {
  const { preset, leaves, pseudoCount, criterion } = words;
  if (preset !== 'single-tree') {
    if (pseudoCount === undefined && criterion === undefined) return;
    const [where, what] = pseudoCount === undefined ? ['criterion', 'criterion'] : ['pseudoCount', 'pseudocount'];
    throw new PipelineError('bad-request', {
      got: `a ${what}, and boosting`,
      expected: 'a single tree a column, which has one',
      where,
      remedy: `Say preset single-tree (--preset single-tree), or no ${what}.`,
    });
  }
  const said = boostingWords.find((word) => words[word] !== undefined);
  if (said === undefined && leaves !== AUTO && leaves !== SEARCH) return;
  throw new PipelineError('bad-request', {
    got: said === undefined ? `leaves ${String(leaves)}` : `${said} ${String(words[said])}`,
    expected:
      'the options of a single tree: leaves (the most that it may have), pseudoCount, criterion, ordering, seed, members',
    where: `preset single-tree, ${said ?? 'leaves'}`,
    remedy: 'Leave it out: validation rows choose how many leaves each tree keeps.',
  });
}
