import type { RandomStream } from '@orchard/numerics';
import type { TableClasses } from './code-classes.js';
import { activeShares, firstLevels, movedLevels, type UpdateOptions } from '../levels.js';
import { explainBy } from '../matching-pursuit.js';
import { mostTogether } from './sets-of-experts.js';
import { TableCandidates } from './table-candidates.js';
import { TableExperts } from './table-experts.js';

/** Of the variance of all rows: what an expert's numbers begin with. */
const FIRST_VARIANCE = 1 / 4;

/** The codes of each variable, by row. */
type Columns = readonly Uint16Array[];

/** What a step makes of the experts before it, and how these explained the rows. */
export interface TableStep {
  readonly experts: TableExperts;
  /** Summed log P(row | its experts) of all rows, nats, by the experts before. */
  readonly explained: number;
}

/** Experts that each begin with a row, half of what all rows say of classes beside it, and random levels. */
export function startOfTable(classes: TableClasses, rows: Columns, count: number, stream: RandomStream): TableExperts {
  const { variables, firsts } = classes;
  const shares = new Float64Array(count * classes.classes);
  const means = new Float64Array(count * variables.length);
  const variances = new Float64Array(count * variables.length);
  for (let expert = 0; expert < count; expert++) {
    const row = stream.below(rows[0]!.length);
    variables.forEach((own, index) => {
      const { shares: all, mean, variance } = own.overall;
      const code = rows[index]![row]!;
      const from = expert * classes.classes + firsts[index]!;
      all.forEach((share, ofClass) => {
        shares[from + ofClass] = share / 2;
      });
      shares[from + own.classOf(code)]! += 1 / 2;
      const at = expert * variables.length + index;
      means[at] = code < own.cells ? own.numbers[code]! : mean;
      variances[at] = FIRST_VARIANCE * variance;
    });
  }
  const expertise = firstLevels(count * variables.length, stream);
  return new TableExperts(classes, {
    active: new Float64Array(count).fill(1 / 2),
    expertise,
    shares,
    means,
    variances,
  });
}

/**
 * A step of EM (thesis, 4.3 and 4.4): every row is explained by a pursuit; levels of expertise follow the sign of the
 * likelihood's slope; then templates are the means of the rows by the responsibility that the new levels give, shrunk
 * to those of all rows, and variances are about these means.
 *
 * @returns null where it was cancelled
 */
export function stepOfTable(
  rows: Columns,
  experts: TableExperts,
  options: UpdateOptions,
  isCancelled: () => boolean = () => false,
): TableStep | null {
  const { classes, count } = experts;
  const total = rows[0]!.length;
  const candidates = new TableCandidates(experts);
  const most = mostTogether(count, classes.codes);
  const times = new Float64Array(count);
  const slopes = new Float64Array(count * rows.length);
  const codes = new Uint16Array(rows.length);
  const sets: (readonly number[])[] = [];
  let explained = 0;
  for (let row = 0; row < total; row++) {
    if (row % 64 === 0 && isCancelled()) return null;
    for (let index = 0; index < codes.length; index++) codes[index] = rows[index]![row]!;
    candidates.begin(codes);
    const { experts: own, nats } = explainBy(candidates, most);
    sets.push(own);
    explained += nats;
    for (const expert of own) times[expert]!++;
    if (own.length > 1)
      for (let index = 0; index < codes.length; index++) experts.addSlopes(own, index, codes[index]!, slopes);
  }
  const expertise = movedLevels(experts.expertise, slopes, total, options);
  const templates = templatesOf(classes, rows, sets, expertise, options.pseudoCount);
  return {
    experts: new TableExperts(classes, { active: activeShares(times, total), expertise, ...templates }),
    explained,
  };
}

/**
 * Means (Σ r x + ε μ_0) / (Σ r + ε), variances (Σ r (x - μ_k)² + ε v_0) / (Σ r + ε) and shares of classes alike, all
 * shrunk to those of all rows.
 */
function templatesOf(
  classes: TableClasses,
  rows: Columns,
  sets: readonly (readonly number[])[],
  expertise: Float64Array,
  pseudoCount: number,
): { readonly shares: Float64Array; readonly means: Float64Array; readonly variances: Float64Array } {
  const { variables, firsts } = classes;
  const count = expertise.length / variables.length;
  const shares = new Float64Array(count * classes.classes);
  const means = new Float64Array(expertise.length);
  const variances = new Float64Array(expertise.length);
  const responsible = new Float64Array(count);
  variables.forEach((own, index) => {
    const { shares: all, mean, variance } = own.overall;
    const column = rows[index]!;
    /** Calls with each row's code and with what each of its experts has of it. */
    const visit = (call: (code: number, expert: number, share: number) => void): void => {
      sets.forEach((set, row) => {
        const whole = set.reduce((sum, expert) => sum + expertise[expert * variables.length + index]!, 0);
        for (const expert of set) call(column[row]!, expert, expertise[expert * variables.length + index]! / whole);
      });
    };
    responsible.fill(0);
    visit((code, expert, share) => {
      responsible[expert]! += share;
      shares[expert * classes.classes + firsts[index]! + own.classOf(code)]! += share;
      if (code < own.cells) means[expert * variables.length + index]! += share * own.numbers[code]!;
    });
    const inCells = new Float64Array(count);
    for (let expert = 0; expert < count; expert++) {
      const from = expert * classes.classes + firsts[index]!;
      const at = expert * variables.length + index;
      if (own.cells > 0) inCells[expert] = shares[from]!;
      means[at] = (means[at]! + pseudoCount * mean) / (inCells[expert]! + pseudoCount);
      all.forEach((share, ofClass) => {
        shares[from + ofClass] = (shares[from + ofClass]! + pseudoCount * share) / (responsible[expert]! + pseudoCount);
      });
    }
    const squares = new Float64Array(count);
    visit((code, expert, share) => {
      if (code < own.cells)
        squares[expert]! += share * (own.numbers[code]! - means[expert * variables.length + index]!) ** 2;
    });
    squares.forEach((sum, expert) => {
      variances[expert * variables.length + index] = (sum + pseudoCount * variance) / (inCells[expert]! + pseudoCount);
    });
  });
  return { shares, means, variances };
}
