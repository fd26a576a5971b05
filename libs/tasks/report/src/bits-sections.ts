import { besideTrainingRows, isExplained, type DensityModel } from '@orchard/model';
import type { Reported } from './reported.js';
import { section } from './section.js';
import { describeRows } from './tables/describe-table.js';
import { sectionsAbout } from './tables/sections-of-rows.js';
import type { ChosenFacts } from './tables/table-facts.js';
import { warningsSection } from './warnings-section.js';
import { dimensionLabel, formatCount } from './text.js';

/** Wider rows have none of these sections: each column is asked about, and samples have all of them. */
const MOST_COLUMNS = 10_000;

export interface DescribedBits extends Pick<Reported, 'splits' | 'cells'> {
  readonly model: DensityModel;
  /** @default nothing */
  readonly chosenByValidation?: ChosenFacts | null | undefined;
}

/** Of a report on rows of 0 and 1, what a report on a table shows as well: by the same functions. */
export interface BitSections {
  readonly warnings: string;
  /** What the columns say of each other, and how often they are 1, beside samples. */
  readonly columns: readonly string[];
  /** Unusual rows, and samples that are copies. */
  readonly rows: readonly string[];
  /** What predicts each column. */
  readonly predicted: readonly string[];
}

/** @param asks whether it is asked what predicts each column: a family that shows it in its own way leaves it out */
export async function bitSections(
  { model, splits, chosenByValidation = null, cells }: DescribedBits,
  asks: { readonly predictors: boolean },
): Promise<BitSections> {
  const { dimensions, names, shape } = model;
  if (dimensions > MOST_COLUMNS) return { warnings: '', columns: [tooMany(dimensions)], rows: [], predicted: [] };
  const labels = Array.from({ length: dimensions }, (_, dim) => dimensionLabel(dim, names, shape));
  const facts = await describeRows({
    model: besideTrainingRows(model, splits.train, labels),
    splits,
    chosenByValidation,
    cells,
    withImportance: asks.predictors && isExplained(model),
  });
  return {
    warnings: warningsSection(facts),
    columns: sectionsAbout('columns', facts),
    rows: sectionsAbout('rows', facts),
    predicted: asks.predictors ? sectionsAbout('predicted', facts) : [],
  };
}

function tooMany(dimensions: number): string {
  return section(
    'Columns and rows one by one',
    `Dependences, unusual rows and copies are not shown of ${formatCount(dimensions)} columns, since each would be asked about: of up to ${formatCount(MOST_COLUMNS)} they are.`,
    '',
  );
}
