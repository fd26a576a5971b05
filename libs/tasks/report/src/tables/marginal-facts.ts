import type { Table, Variable } from '@orchard/contracts';
import {
  coarseGroups,
  codeOffsets,
  holeCode,
  otherCode,
  OTHER,
  readCodes,
  trainingCounts,
  valueCount,
  type BitMatrix,
} from '@orchard/dataset';
import { sumOf } from '@orchard/numerics';
import { histogramOf } from './histogram-facts.js';
import type { LabelsFacts, MarginalFacts, Pair } from './table-facts.js';

/** Charts on the page; what has none is said. */
const MARGINALS_SHOWN = 48;
const MOST_LABELS = 10;
/** 2 / π, of the mean distance of a normal variable from its mean. */
const TWO_OVER_PI = 0.6366197723675814;

/** Each variable of the training rows beside that of draws; where there are too many, those that differ most. */
export function marginalsOf(table: Table, draws: BitMatrix): readonly MarginalFacts[] {
  const offsets = codeOffsets(table);
  const all = table.variables.map((variable, index) =>
    marginalOf(variable, readCodes(draws, offsets[index]!, offsets[index + 1]!)),
  );
  const kept = new Set([...all].sort((one, other) => other.difference - one.difference).slice(0, MARGINALS_SHOWN));
  return all.filter((each) => kept.has(each));
}

function marginalOf(variable: Variable, drawn: Uint16Array): MarginalFacts {
  const data = trainingCounts(variable);
  const draws = new Float64Array(data.length);
  for (const code of drawn) draws[code]!++;
  const rows: Pair = { data: sumOf(data), draws: drawn.length };
  const pairOf = (code: number): Pair => ({ data: data[code]! / rows.data, draws: draws[code]! / rows.draws });
  const hole = holeCode(variable);
  return {
    name: variable.name,
    chart:
      variable.kind === 'ordered'
        ? { type: 'histogram', ...histogramOf(variable, data, draws) }
        : labelsOf(variable, pairOf),
    holes: hole === null ? null : pairOf(hole),
    ...differenceOf(variable, data, draws, rows),
  };
}

function labelsOf(variable: Exclude<Variable, { kind: 'ordered' }>, pairOf: (code: number) => Pair): LabelsFacts {
  const { labels } = variable;
  const shown = labels.length <= MOST_LABELS ? labels.length : MOST_LABELS - 1;
  const bars = labels.slice(0, shown).map((label, code) => ({ label, ...pairOf(code) }));
  const other = otherCode(variable);
  if (variable.kind === 'categorical' && variable.others > 0) bars.push({ label: OTHER, ...pairOf(other!) });
  const rest = Array.from({ length: valueCount(variable) - shown }, (_, at) => pairOf(shown + at));
  return {
    type: 'labels',
    bars,
    rest:
      rest.length === 0
        ? null
        : {
            labels: rest.length,
            data: rest.reduce((all, pair) => all + pair.data, 0),
            draws: rest.reduce((all, pair) => all + pair.draws, 0),
          },
  };
}

/**
 * Half the summed differences of the shares of coarse groups, and what it is on average for as many rows of one
 * distribution.
 */
function differenceOf(
  variable: Variable,
  data: Float64Array,
  draws: Float64Array,
  rows: Pair,
): { readonly difference: number; readonly byChance: number } {
  const { groupOf, groups } = coarseGroups(variable);
  const grouped = (counts: Float64Array, all: number): Float64Array => {
    const shares = new Float64Array(groups);
    counts.forEach((count, code) => {
      shares[groupOf[code]!]! += count / all;
    });
    return shares;
  };
  const [ofData, ofDraws] = [grouped(data, rows.data), grouped(draws, rows.draws)];
  let difference = 0;
  let byChance = 0;
  ofData.forEach((share, group) => {
    difference += Math.abs(share - ofDraws[group]!) / 2;
    byChance += Math.sqrt(TWO_OVER_PI * Math.max(0, share * (1 - share)) * (1 / rows.data + 1 / rows.draws)) / 2;
  });
  return { difference, byChance };
}
