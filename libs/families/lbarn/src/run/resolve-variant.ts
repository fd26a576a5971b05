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
  const maxPredictors = mostPredictors(words);
  const refusal = refusals.find(({ refuses }) => refuses(words, start));
  if (refusal !== undefined) {
    const { got, expected, where, remedy } = refusal;
    throw new PipelineError('bad-request', { got: got(words, start), expected, where: where(words), remedy });
  }
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
  'l2',
  'featureFraction',
  'patience',
] as const;

const boostingWordOf = (words: RunWords): keyof RunWords =>
  boostingWords.find((word) => words[word] !== undefined) ?? 'leaves';

/** Words that mean nothing together, and what is said of them. */
interface WordsRefused {
  refuses(words: RunWords, start: string): boolean;
  got(words: RunWords, start: string): string;
  readonly expected: string;
  /** A word, or what is said of several. */
  where(words: RunWords): string;
  readonly remedy: string;
}

const isSingle = ({ preset }: RunWords): boolean => preset === 'single-tree';

/** In the order in which they are looked for; of several that are met the first is said. */
const refusals: readonly WordsRefused[] = [
  ...(['pseudoCount', 'criterion'] as const).map((word): WordsRefused => {
    const what = word.toLowerCase();
    return {
      refuses: (words) => !isSingle(words) && words[word] !== undefined,
      got: () => `a ${what}, and boosting`,
      expected: 'a single tree a column, which has one',
      where: () => word,
      remedy: `Say preset single-tree (--preset single-tree), or no ${what}.`,
    };
  }),
  {
    refuses: (words) =>
      isSingle(words) && (boostingWordOf(words) !== 'leaves' || words.leaves === AUTO || words.leaves === SEARCH),
    got: (words) => `${boostingWordOf(words)} ${String(words[boostingWordOf(words)])}`,
    expected:
      'the options of a single tree: leaves (the most that it may have), pseudoCount, criterion, ordering, seed, members',
    where: (words) => `preset single-tree, ${boostingWordOf(words)}`,
    remedy: 'Leave it out: validation rows choose how many leaves each tree keeps.',
  },
  {
    refuses: ({ startPenalty }, start) => startPenalty !== undefined && start !== 'logistic',
    got: (_, start) => `a penalty of a logistic start, and the start ${start}`,
    expected: 'a logistic start, which has a penalty',
    where: () => 'startPenalty',
    remedy: 'Say start logistic (--start logistic), or no penalty.',
  },
  {
    refuses: ({ exclusive }, start) => exclusive === 'found' && start === 'logistic',
    got: () => 'exclusive columns found, and a logistic start',
    expected: 'one of them: both say what the first round goes on from',
    where: () => 'exclusive',
    remedy: 'Say start base-rate (--start base-rate), or exclusive none (--variant exclusive=none).',
  },
  {
    refuses: (words, start) => mostPredictors(words) !== undefined && start === 'logistic',
    got: (words) => `at most ${mostPredictors(words)!} predictors, and a logistic start`,
    expected: 'one of them: a logistic start looks at all columns before',
    where: () => 'maxPredictors',
    remedy: 'Say start base-rate (--start base-rate), or leave max-predictors (--variant max-predictors=K) out.',
  },
  {
    refuses: (words) => (words.nearPredictors ?? 0) > (mostPredictors(words) ?? 0),
    got: (words) => `${words.nearPredictors!} nearest columns of at most ${mostPredictors(words)!} predictors`,
    expected: 'no more nearest columns than predictors in all',
    where: () => 'nearPredictors',
    remedy: 'Say a larger maxPredictors (--variant max-predictors=K), or leave it out to see the nearest alone.',
  },
];

/** The nearest alone, where nothing is said of others. */
const mostPredictors = ({ maxPredictors, nearPredictors }: RunWords): number | undefined =>
  maxPredictors ?? nearPredictors;
