import { wordsOf, writeValue, type BitMatrix, type EncodedRows } from '@orchard/dataset';
import { PARTICLES_UNDER_RULES, type TabularModel } from '@orchard/model';
import { sumOf } from '@orchard/numerics';
import type { RulesOfModel } from './rules-of-model.js';

/** Rows whose numbers are known, and what is unknown of them. */
export interface RowsToRule extends Pick<EncodedRows, 'matrix' | 'logDensity'> {
  readonly known: BitMatrix;
  /** Rows with unknown values. */
  readonly incomplete: readonly number[];
  /** The number of a cell; NaN where it is missing or not a number. */
  numberAt(row: number, variable: number): number;
}

/** log P of rows under rules. */
export interface RowsByRules {
  /** Of each row, nats; -Infinity where it breaks a rule. */
  readonly nats: Float64Array;
  /** By rule, in how many rows it is broken. */
  readonly broken: Readonly<Record<string, number>>;
}

/**
 * log P of rows under rules: what the rules forbid is shared out to what they leave. What is unknown of a row is summed
 * out by particles; a row whose known cells break a rule has none.
 *
 * @param scored log P of each row without rules, nats
 */
export function scoreRowsByRules(
  model: TabularModel,
  { rules, ruled }: RulesOfModel,
  rows: RowsToRule,
  scored: { readonly nats: Float64Array; readonly seed: number },
): RowsByRules {
  const { matrix, known, numberAt, logDensity, incomplete } = rows;
  const { variables } = model.table;
  const isIncomplete = new Set(incomplete);
  const gains = ruled.logGains(matrix);
  const broken: Record<string, number> = {};
  const nats = Float64Array.from(scored.nats, (own, row) => {
    const texts = variables.map((variable, index): string | null => {
      if (variable.kind !== 'ordered') {
        const code = model.codeOf(matrix, row, index);
        return isKnownAt(row, index) && code < variable.labels.length ? wordsOf(variable, code) : null;
      }
      const number = numberAt(row, index);
      if (Number.isNaN(number)) return null;
      return variable.format.type === 'number' ? String(number) : writeValue(number, variable.format);
    });
    let follows = true;
    for (const { words, holds } of rules) {
      if (holds(texts)) continue;
      broken[words] = (broken[words] ?? 0) + 1;
      follows = false;
    }
    if (!follows) return -Infinity;
    return own + gains[row]! - determinedNats(row);
  });
  if (incomplete.length > 0) {
    const some = {
      matrix: matrix.selectRows(incomplete),
      known: known.selectRows(incomplete),
      numberAt: (row: number, index: number) => numberAt(incomplete[row]!, index),
    };
    const options = { seed: scored.seed, samples: PARTICLES_UNDER_RULES, draws: 1 };
    const { logEvidence } = ruled.completions(some, options)[0]!;
    incomplete.forEach((row, at) => {
      if (nats[row] === -Infinity) return;
      const densities = logDensity.subarray(row * model.variables, (row + 1) * model.variables);
      nats[row] = ruled.isPossible(some, at) ? logEvidence[at]! + sumOf(densities) : -Infinity;
    });
  }
  return { nats, broken };

  /** What follows from other values has no density of its own. */
  function determinedNats(row: number): number {
    return ruled.determinedNats(
      (index) => numberAt(row, index),
      (index) => model.codeOf(matrix, row, index),
    );
  }

  function isKnownAt(row: number, index: number): boolean {
    return !isIncomplete.has(row) || known.get(row, model.offsets[index]!) === 1;
  }
}
