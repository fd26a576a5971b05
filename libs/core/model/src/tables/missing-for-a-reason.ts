import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, readCodes, valueCount } from '@orchard/dataset';
import { log, oncePer, sumOf } from '@orchard/numerics';
import type { TabularModel } from './tabular-model.js';

/** Rows that are sampled to find out. */
const ROWS = 1000;
/** Groups of values, beside missing ones. */
const GROUPS = 8;
/** Of the entropy of being missing: what one other column has to say of it at least. */
const SHARE = 0.25;

/**
 * Columns whose values are missing for a reason, such as the battery of a bicycle: in rows that the model samples,
 * another column says a quarter or more of whether they are (mutual information over entropy, less what chance shows).
 */
export const missingForAReason = oncePer((model: TabularModel): ReadonlySet<number> => {
  const { variables } = model.table;
  const result = new Set<number>();
  if (variables.every((variable) => holeCode(variable) === null)) return result;
  const rows = model.sample(ROWS, 0);
  const groups = variables.map((variable, index) => {
    const groupOf = Uint8Array.from({ length: codeCount(variable) }, (_, code) => group(variable, code));
    return readCodes(rows, model.offsets[index]!, model.offsets[index + 1]!).map((code) => groupOf[code]!);
  });
  variables.forEach((variable, index) => {
    if (holeCode(variable) === null) return;
    if (groups.some((other, at) => at !== index && isSaid(groups[index]!, other))) result.add(index);
  });
  return result;
});

/** Missing ones in the last; neighbouring numbers in one, and of labels all but the most frequent. */
function group(variable: Variable, code: number): number {
  const values = valueCount(variable);
  if (code === holeCode(variable)) return GROUPS;
  if (variable.kind === 'ordered' && values > GROUPS) return Math.min(GROUPS - 1, Math.floor((GROUPS * code) / values));
  return Math.min(GROUPS - 1, code);
}

/** Whether a column's groups say enough of whether another one is missing. */
function isSaid(groups: Uint16Array, others: Uint16Array): boolean {
  const [missing, all] = [new Float64Array(GROUPS + 1), new Float64Array(GROUPS + 1)];
  others.forEach((own, row) => {
    all[own]!++;
    if (groups[row] === GROUPS) missing[own]!++;
  });
  const gone = sumOf(missing);
  let left = 0;
  let used = 0;
  all.forEach((count, own) => {
    if (count > 0) used++;
    left += entropy(missing[own]!, count);
  });
  const before = entropy(gone, ROWS);
  return before > 0 && before - left - (used - 1) / 2 >= SHARE * before;
}

/** Of so many of so many, times their number; nats. */
function entropy(some: number, all: number): number {
  const rest = all - some;
  return (some === 0 ? 0 : -some * log(some / all)) + (rest === 0 ? 0 : -rest * log(rest / all));
}
