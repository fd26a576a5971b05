import { encodeParts, type RawTable } from '@orchard/dataset';
import { moments, type RowWeights, type TabularModel } from '@orchard/model';
import { findBroken, type BrokenRule } from './broken-rows.js';
import type { RulesOfModel } from './rules-of-model.js';

/** How rows of a file stand to rules. */
export interface RuledScores {
  readonly rules: readonly BrokenRule[];
  /** Of rows that follow all rules and have no unknown values: how many, and their mean log P under the rules. */
  readonly followed: { readonly rows: number; readonly logLikelihood: number | null };
  /** log P of each row under the rules, nats: -Infinity where it breaks one, NaN where values are unknown. */
  readonly nats: Float64Array;
}

/**
 * @param nats of each row, without rules
 * @param weights how much each row counts in means. @default each once
 */
export async function scoreFileByRules(
  model: TabularModel,
  { rules, ruled }: RulesOfModel,
  raw: RawTable,
  nats: Float64Array,
  weights: RowWeights | null = null,
): Promise<RuledScores> {
  const { found, follows } = await findBroken(model.table, rules, raw, nats.length);
  const underRules = Float64Array.from(follows, (one) => (one === 1 ? NaN : -Infinity));
  const kept: number[] = [];
  let from = 0;
  for await (const { matrix, known, numberAt } of encodeParts(raw, model.table, {
    missing: 'value',
    mayBeUnknown: true,
  })) {
    const gains = ruled.logGains(matrix);
    for (let row = 0; row < matrix.rows; row++) {
      const isKnown =
        known === null || model.table.variables.every((_, at) => known.get(row, model.offsets[at]!) === 1);
      if (follows[from + row] === 0 || !isKnown) continue;
      const codeOf = (index: number): number => model.codeOf(matrix, row, index);
      const determined = ruled.determinedNats((index) => numberAt(row, index), codeOf);
      underRules[from + row] = nats[from + row]! + gains[row]! - determined;
      kept.push(from + row);
    }
    from += matrix.rows;
  }
  const natsOfKept = Float64Array.from(kept, (row) => underRules[row]!);
  const logLikelihood = kept.length === 0 ? null : moments(natsOfKept, weights?.of(kept)).mean;
  return { rules: found, followed: { rows: kept.length, logLikelihood }, nats: underRules };
}
