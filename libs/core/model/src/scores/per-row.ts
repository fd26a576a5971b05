import { csvField } from '@orchard/dataset';
import type { RowScores, UnusualCell } from './outlier.js';

export interface PerRow extends RowScores {
  /** log P of each row under rules, nats; NaN where it is not known. @default no rules hold */
  readonly underRules?: Float64Array | null;
  /** Of each row, whether it is flagged; null where none was to be. */
  readonly flagged: Uint8Array | null;
  /** Unusual cells of each row. */
  readonly top: number;
  /** The cells of the rows that were explained, by their numbers from 0. */
  readonly explained: ReadonlyMap<number, readonly UnusualCell[]>;
}

/** The name of the column of {@link PerRow.underRules}. */
export const UNDER_RULES = 'logLikelihoodUnderRules';

/** What is listed of each cell. */
export const CELL_COLUMNS = [
  'column',
  'value',
  'probability',
  'expected',
  'expectedLow',
  'expectedHigh',
  'expectedLabel',
  'surprise',
] as const;

/**
 * Lines `row,score,logLikelihood[,logLikelihoodUnderRules][,outlier],column1,value1,probability1,expected1,expectedLow1,expectedHigh1,expectedLabel1,surprise1,…`, with all digits; of rows
 * that are not explained the cells are empty.
 */
export function* perRowLines({
  scores,
  logLikelihoods,
  underRules = null,
  flagged,
  top,
  explained,
}: PerRow): Generator<string, void> {
  const heads = Array.from({ length: top }, (_, at) => CELL_COLUMNS.map((head) => `${head}${String(at + 1)}`)).flat();
  const ofRules = underRules === null ? [] : [UNDER_RULES];
  const ofFlags = flagged === null ? [] : ['outlier'];
  yield `${['row', 'score', 'logLikelihood', ...ofRules, ...ofFlags, ...heads].join(',')}\n`;
  for (let row = 0; row < scores.length; row++) {
    const fields = (explained.get(row) ?? []).flatMap(fieldsOfCell);
    while (fields.length < heads.length) fields.push('');
    const own = [String(row + 1), String(scores[row]), String(logLikelihoods[row])];
    const ruled = underRules === null ? [] : [Number.isNaN(underRules[row]!) ? '' : String(underRules[row])];
    const flag = flagged === null ? [] : [String(flagged[row])];
    yield `${[...own, ...ruled, ...flag, ...fields].join(',')}\n`;
  }
}

function fieldsOfCell(cell: UnusualCell): string[] {
  return CELL_COLUMNS.map((part) => csvField(String(cell[part] ?? '')));
}
