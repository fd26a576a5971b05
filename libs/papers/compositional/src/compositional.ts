import { builtModule, countedRows, familyOfSteps, PipelineError, type Run } from '@orchard/pipeline';
import { isExtremal } from './compositions/index.js';
import { compositionalFamily as name, isExact, tooMany } from './compositional-body.js';
import { compositionalCodec as codec } from './compositional-model.js';
import {
  compositionalSpecification,
  compositionalSpecificationSchema,
  compositionalWordsSchema,
  type CompositionalSpecification,
  placesOf,
  wholeWords,
} from './compositional-run.js';
import { computations, end } from './computations.js';
import { steps } from './steps.js';

/**
 * Templates that are composed, by hard EM: one task a step of each run of EM, each after the one before it, then one
 * that chooses.
 */
export const compositional = familyOfSteps({
  name,
  codec,
  steps,
  end,
  computations,
  description: 'compositional mixture of a few templates, for parts of images; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  step: {
    kind: 'em',
    state: 'learning',
    what: ({ chain, step }) => `step ${String(step)} of run ${String(chain + 1)} of EM`,
  },
  last: { kind: 'choose', state: 'choosing' },
  words: compositionalWordsSchema,
  specification: compositionalSpecificationSchema,
  specify: (said, { train }) => {
    const words = wholeWords(compositionalWordsSchema.parse(said), train.dimensions);
    checkPlaces(words, train);
    return words;
  },
  module: builtModule('computations', import.meta.url),
  data: (run) => countedRows(run, threadBytes(run)),
  likeliest: (run) => {
    const { train, valid } = run.datasets;
    const specification = compositionalSpecification(run);
    const isBound = !isExact(specification.experts, train.dimensions, placesOf(specification, train).options);
    const told = `Of the ${String(valid.rows)} validation rows, by the step of EM that makes them likeliest so far: they choose among all of them.`;
    return isBound ? `${told} Of such experts it is a lower bound.` : told;
  },
});

/** @throws PipelineError `bad-request` where experts are too many, or cannot be looked for anywhere in a row */
function checkPlaces(
  words: Pick<CompositionalSpecification, 'experts' | 'composition' | 'shifts' | 'turns'>,
  train: Pick<Run['datasets']['train'], 'dimensions' | 'shape'>,
): void {
  const { experts, composition, shifts = 0, turns = 0 } = words;
  const isPlaced = shifts + turns > 0;
  const refuse = (got: string, expected: string, where: string, remedy: string): never => {
    throw new PipelineError('bad-request', { got, expected, where, remedy });
  };
  if (isPlaced && train.shape === null)
    refuse('rows that are no images', 'a height and a width', 'shifts', 'Say them by --shape, as in 28x28.');
  if (isPlaced && !isExtremal(composition))
    refuse(
      composition,
      'max-minus-min or max',
      'composition',
      'Templates are shifted and turned by these rules alone.',
    );
  if (train.shape !== null && shifts >= Math.max(train.shape[0], train.shape[1]))
    refuse(`${String(shifts)} pixels`, 'less than the image has', 'shifts', 'Say fewer.');
  // of each axis; places themselves are made only where they fit
  const places = (2 * shifts + 1) ** 2 * ((2 * turns) / 10 + 1);
  const expected = tooMany(experts, places, train.dimensions);
  if (expected !== null)
    refuse(
      `${String(experts)} experts at ${String(places)} places, of ${String(train.dimensions)} columns`,
      expected,
      'experts',
      'Say fewer, or use the model mixture, whose templates may be thousands.',
    );
}

/**
 * Of a thread: where rows have ones, the composed templates of all sets with their logarithms, or the templates at
 * every place, and of rules that are not of extremes the ones of each set.
 */
function threadBytes(run: Run): number {
  const { train, valid } = run.datasets;
  const { dimensions } = train;
  const specification = compositionalSpecification(run);
  const { experts, composition } = specification;
  const places = placesOf(specification, train);
  const sets = isExact(experts, dimensions, places.options) ? 2 ** experts : 0;
  const spread = experts * places.count * dimensions;
  return (
    4 * (train.rows + valid.rows) * dimensions +
    40 * sets * dimensions +
    8192 * sets +
    48 * spread +
    (isExtremal(composition) ? 0 : 8 * Math.min(train.rows, 2 ** experts) * dimensions)
  );
}
