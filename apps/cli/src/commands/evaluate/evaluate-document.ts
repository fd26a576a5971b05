import type { RuledScores } from '@orchard/analysis';
import type { NewCells, TargetScores } from '@orchard/model';
import { BITS_PER_NAT } from '../../output/figures.js';
import type { OutliersDocument } from './show-outliers.js';
import type { AlarmsFound } from './alarms.js';
import { columnDocument, type ColumnDocument } from '../../output/column-document.js';

/** What the rows give one column. */
interface EvaluatedColumn extends ColumnDocument {
  /** Whether its nats are of probabilities, or of densities, which depend on the unit of the column. */
  readonly measure: 'mass' | 'density';
  /** Mean per row; null where unknown values left nothing to measure. */
  readonly nats: number | null;
}

/** What `evaluate` says, of every kind of model and of rows; of rules where some were given. */
export interface EvaluateDocument extends OutliersDocument, Partial<Omit<RuledScores, 'nats'>>, Partial<AlarmsFound> {
  readonly rows: number;
  /** What the rows count together; null where each counts once. */
  readonly sumOfWeights: number | null;
  /** Mean nats per row. */
  readonly logLikelihood: number;
  /** Of the mean; null of one row. */
  readonly standardError: number | null;
  /** Whether the likelihoods are lower bounds; null where they are log P(row) itself. */
  readonly likelihoodIs: 'lower bound' | null;
  /** The part of probabilities. */
  readonly massLogLikelihood: number;
  /** The part of densities, which depends on the units of their columns; 0 without any. */
  readonly densityLogLikelihood: number;
  /** Rows with unknown values, which were integrated out by samples. */
  readonly rowsWithUnknown: number;
  /** By column; null of a model whose likelihoods have no share for each. */
  readonly columns: readonly EvaluatedColumn[] | null;
  /** What of each column training had nothing like. */
  readonly newCells: readonly NewCells[];
  /** How well the column of `--target` is predicted given all others. */
  readonly target?: TargetScores;
  /** Bits per column; with densities it depends on the units of their columns. */
  readonly bitsPerColumn: number;
  /** @deprecated `bitsPerColumn` has the same. */
  readonly bitsPerDimension?: number;
  /** @deprecated `columns` has the same. */
  readonly variables?: readonly Omit<EvaluatedColumn, 'column'>[];
}

/** What was measured of the rows. */
export interface Evaluated extends Pick<
  EvaluateDocument,
  | 'rows'
  | 'sumOfWeights'
  | 'logLikelihood'
  | 'standardError'
  | 'densityLogLikelihood'
  | 'rowsWithUnknown'
  | 'newCells'
  | 'likelihoodIs'
> {
  readonly names: readonly string[] | null;
  /** How many columns there are. */
  readonly count: number;
  readonly columns: readonly Pick<EvaluatedColumn, 'measure' | 'nats'>[] | null;
}

export function evaluateDocument(
  { names, count, columns, ...figures }: Evaluated,
  found: OutliersDocument &
    Partial<Omit<RuledScores, 'nats'>> &
    Partial<AlarmsFound> &
    Pick<EvaluateDocument, 'target'>,
): EvaluateDocument {
  const { logLikelihood, densityLogLikelihood } = figures;
  const named = columns?.map((own, index) => ({ ...columnDocument(index, names), ...own })) ?? null;
  const bitsPerColumn = (-logLikelihood * BITS_PER_NAT) / count;
  return {
    ...figures,
    massLogLikelihood: logLikelihood - densityLogLikelihood,
    bitsPerColumn,
    columns: named,
    ...found,
    bitsPerDimension: bitsPerColumn,
    ...(named !== null && { variables: named.map(({ name, measure, nats }) => ({ name, measure, nats })) }),
  };
}
