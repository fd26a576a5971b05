import { codeCount } from '@orchard/dataset';
import { isExactOfTable, TYPICAL_ROWS, type DensityModel, type TabularModel } from '@orchard/model';
import { QuestionError } from './errors.js';

/** Values or probabilities that one question may have computed: they are held in memory together. */
const MOST_VALUES = 2_000_000;
/**
 * Trees that the rows of one question may pass, particles counted: about ten seconds of one thread. A larger question
 * is refused before anything is computed.
 */
const MOST_TREES = 1_000_000_000;

/**
 * The same of rows in which each code of each column is tried beside all other cells, where many at a time pass more:
 * about five seconds.
 */
const MOST_TREES_OF_CELLS = 5_000_000_000;
/** What a column costs there beside its trees, in trees. */
const TREES_A_COLUMN = 250;

export interface Work {
  readonly rows: number;
  /** Of each row, where it is completed by particles. @default 1 */
  readonly particles?: number | undefined;
  /** Values, or probabilities of codes, that are computed of each row and particle. */
  readonly values: number;
}

/**
 * Refuses a question that takes too much memory or time, known from the rows, the particles and the model's trees.
 *
 * @throws QuestionError `over-limit`
 */
export function checkWork(model: DensityModel, { rows, particles = 1, values }: Work): void {
  const trees = treesOf(model);
  const each = particles === 1 ? '' : `, ${particles} particles each`;
  if (rows * particles * values > MOST_VALUES)
    throw tooMuch(`${rows} rows of ${values} values${each}`, `at most ${MOST_VALUES} values in one request`, particles);
  if (rows * particles * trees > MOST_TREES)
    throw tooMuch(
      `${rows} rows${each}, for a model of ${trees} trees`,
      `rows x particles x trees of at most ${MOST_TREES}`,
      particles,
    );
}

/**
 * What completions take. Of rows of 0 and 1 several come one after the other, and take the time of all and the memory
 * of one.
 */
export function workOfCompletions(
  model: TabularModel,
  rows: number,
  { samples, draws, isRuled }: { readonly samples: number; readonly draws: number; readonly isRuled: boolean },
): Work {
  const { dimensions } = model;
  const particles = isExactOfTable(model) && !isRuled ? 1 : samples;
  if (model.ofBits === undefined || isRuled) return { rows, particles: Math.max(particles, draws), values: dimensions };
  return { rows, particles: particles * draws, values: Math.ceil(dimensions / draws) };
}

/** Codes of all columns of a model together. */
export function codesOf({ table }: TabularModel): number {
  return table.variables.reduce((sum, variable) => sum + codeCount(variable), 0);
}

/** Rows that a model can be asked about in about two seconds of one thread. */
export function mostRows(model: DensityModel): number {
  return Math.floor(MOST_TREES / 4 / treesOf(model));
}

/** Rows whose cells can be looked at in one question, each given the rest of its row. */
export function mostRowsByCells(model: TabularModel): number {
  const treesOfRow = codesOf(model) * (treesOf(model) + TREES_A_COLUMN * model.variables);
  return Math.floor(Math.min(MOST_TREES_OF_CELLS / treesOfRow, MOST_VALUES / model.variables));
}

/** Whether anomaly scores can be answered: what is typical of a model is learned once from rows that it samples. */
export function knowsTypical(model: DensityModel): boolean {
  return TYPICAL_ROWS * treesOf(model) <= MOST_TREES && TYPICAL_ROWS * model.dimensions <= MOST_VALUES;
}

/** Trees that a row passes in all members of a model; a column without trees counts as one. */
export function treesOf(asked: DensityModel & Pick<Partial<TabularModel>, 'ofBits'>): number {
  const model: DensityModel = asked.ofBits ?? asked;
  if ('members' in model && Array.isArray(model.members))
    return model.members.reduce((sum: number, member: DensityModel) => sum + treesOf(member), 0);
  if (!('ensembles' in model) || !Array.isArray(model.ensembles)) return model.dimensions;
  let trees = 0;
  // of a table each variable has an ensemble for each of its decisions
  for (const ensemble of model.ensembles.flat() as { readonly leafCounts: ArrayLike<number> }[])
    trees += Math.max(1, ensemble.leafCounts.length);
  return trees;
}

function tooMuch(got: string, expected: string, particles: number): QuestionError {
  const fewer = particles === 1 ? 'fewer rows' : 'fewer rows or particles';
  return new QuestionError('over-limit', {
    got,
    expected,
    remedy: `Ask for ${fewer} at a time, or use \`orchard evaluate\`, \`orchard complete\` or \`orchard sample\` with the model's file.`,
  });
}
