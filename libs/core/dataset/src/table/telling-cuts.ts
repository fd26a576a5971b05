import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import { log } from '@orchard/numerics';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { evenlySpaced } from '../rows/evenly-spaced.js';
import { codeCount, codeOffsets, readCodes } from '../variables/codes.js';
import { codesInOrder } from '../variables/value-order.js';

/** Groups that the codes of a variable are counted in: enough to see that another changes with it. */
const MOST_GROUPS = 16;
/** Rows that are looked at, and row visits in all: what more would show about a border is not worth its time. */
const MOST_ROWS = 65_536;
const MOST_VISITS = 2 ** 28;
/** Nats beyond what chance gives the best of all borders. */
const LEAST_EVIDENCE = 4;

/**
 * The table with more cut points of its ordered variables where other variables change. A variable of more cells than
 * cut points is cut at even shares of the rows, and a rule whose border lies between two cuts (a season by the date)
 * could not be learned there.
 *
 * Of every border the rows of one cut's breadth on both sides are compared, by each other variable: the gain of
 * separating them, less what as many rows gain by chance. Where that is positive and nowhere near it more so, there is
 * one more cut, up to a quarter of those there are. Instead of even ones they would cost more than they bring (males:
 * 0.09 nats per row).
 *
 * @param rows training rows of the table
 */
export function withTellingCuts(table: Table, rows: BitMatrix): Table {
  const { variables } = table;
  const coarse = variables.filter(isCoarse).length;
  if (coarse === 0 || variables.length === 1) return table;
  const looked = Math.max(1, Math.min(MOST_ROWS, Math.floor(MOST_VISITS / (coarse * variables.length))));
  const sample = evenlySpaced(rows, looked);
  const offsets = codeOffsets(table);
  const codesOf = (index: number): Uint16Array => readCodes(sample, offsets[index]!, offsets[index + 1]!);
  const groups = variables.map((variable, index) => groupsOf(variable, codesOf(index)));
  const terms = entropyTerms(sample.rows);
  return {
    ...table,
    variables: variables.map((variable, index) => {
      if (!isCoarse(variable)) return variable;
      const others = groups.filter((_, other) => other !== index);
      return { ...variable, cuts: cutsOf(variable, codesOf(index), others, terms) };
    }),
  };
}

/** A table whose JSON is as long as that of any that {@link withTellingCuts} makes of it. */
export function withMostCuts(table: Table): Table {
  const variables = table.variables.map((variable) => {
    if (!isCoarse(variable)) return variable;
    const cuts = new Set(variable.cuts);
    const most = cuts.size + mostTelling(variable);
    for (let code = variable.values.length - 1; code > 0 && cuts.size < most; code--) cuts.add(code);
    return { ...variable, cuts: [...cuts].sort((a, b) => a - b) };
  });
  return { ...table, variables };
}

/** Whether it has more cells than cut points can separate. */
function isCoarse(variable: Variable): variable is OrderedVariable {
  return variable.kind === 'ordered' && variable.cuts.length > 1 && variable.cuts.length < variable.values.length - 1;
}

function mostTelling({ cuts }: OrderedVariable): number {
  return cuts.length >> 2;
}

/** What each row's code counts as. */
interface Groups {
  readonly count: number;
  readonly ofRow: Uint8Array;
}

function groupsOf(variable: Variable, codes: Uint16Array): Groups {
  const counts = new Float64Array(codeCount(variable));
  for (let row = 0; row < codes.length; row++) counts[codes[row]!]!++;
  const of = new Uint8Array(counts.length);
  if (variable.kind === 'ordered') {
    // as many as even shares make of them, missing values by themselves
    let below = 0;
    const known = codesInOrder(variable);
    for (const code of known) {
      of[code] = Math.floor(((MOST_GROUPS - 1) * below) / codes.length);
      below += counts[code]!;
    }
    for (let code = known.length; code < counts.length; code++) of[code] = MOST_GROUPS - 1;
  } else {
    const byCount = Array.from(counts.keys()).sort((a, b) => counts[b]! - counts[a]! || a - b);
    byCount.forEach((code, rank) => {
      of[code] = Math.min(rank, MOST_GROUPS - 1);
    });
  }
  const ofRow = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) ofRow[row] = of[codes[row]!]!;
  return { count: MOST_GROUPS, ofRow };
}

function cutsOf(
  variable: OrderedVariable,
  codes: Uint16Array,
  others: readonly Groups[],
  terms: Float64Array,
): number[] {
  const cells = variable.values.length;
  const most = variable.cuts.length;
  const breadth = Math.ceil(cells / (most + 1));
  const evidence = new Float64Array(cells);
  const chance = log(cells * others.length);
  const around = (border: number): [from: number, to: number] => [
    Math.max(0, border - breadth),
    Math.min(cells, border + breadth),
  ];
  const below = sumsBelow(codes, cells, { count: 1, ofRow: new Uint8Array(codes.length) });
  const borders = Array.from({ length: cells - 1 }, (_, at) => at + 1).filter((border) => {
    const [from, to] = around(border);
    return mostGain(terms, below[border]! - below[from]!, below[to]! - below[border]!) - chance > LEAST_EVIDENCE;
  });
  // of a wide table, whose rows are few beside its columns, all borders are spared, and all pairs of columns
  for (const other of borders.length > 0 ? others : []) {
    const sums = sumsBelow(codes, cells, other);
    for (const border of borders) {
      const [from, to] = around(border);
      const gain = gainOf(terms, sums, other.count, from, border, to) - chance;
      if (gain > evidence[border]!) evidence[border] = gain;
    }
  }
  const telling: number[] = [];
  const byEvidence = Array.from(evidence.keys())
    .filter((border) => evidence[border]! > LEAST_EVIDENCE)
    .sort((a, b) => evidence[b]! - evidence[a]! || a - b);
  for (const border of byEvidence) {
    if (telling.length >= mostTelling(variable)) break;
    // nearer ones see the same change within their breadth
    if (telling.every((other) => Math.abs(other - border) >= breadth)) telling.push(border);
  }
  return [...new Set([...telling, ...variable.cuts])].sort((a, b) => a - b);
}

/** Element `cell * groups + group`: rows of the group in the cells before that one. */
function sumsBelow(codes: Uint16Array, cells: number, { count, ofRow }: Groups): Float64Array {
  const sums = new Float64Array((cells + 1) * count);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (code < cells) sums[(code + 1) * count + ofRow[row]!]!++;
  }
  for (let at = count; at < sums.length; at++) sums[at]! += sums[at - count]!;
  return sums;
}

/**
 * What it gains, nats, to separate the cells before the border from those behind it, less half a logarithm of the rows
 * for each group beyond the first.
 */
function gainOf(
  terms: Float64Array,
  sums: Float64Array,
  groups: number,
  from: number,
  border: number,
  to: number,
): number {
  let gain = 0;
  let [before, behind, seen] = [0, 0, 0];
  for (let group = 0; group < groups; group++) {
    const middle = sums[border * groups + group]!;
    const left = middle - sums[from * groups + group]!;
    const right = sums[to * groups + group]! - middle;
    before += left;
    behind += right;
    if (left + right > 0) seen++;
    gain += terms[left]! + terms[right]! - terms[left + right]!;
  }
  gain += terms[before + behind]! - terms[before]! - terms[behind]!;
  return gain - 0.5 * (seen - 1) * log(Math.max(1, before + behind));
}

/** What no {@link gainOf} of so many rows on both sides exceeds: that of two groups, each on a side of its own. */
function mostGain(terms: Float64Array, before: number, behind: number): number {
  const rows = before + behind;
  const rounding = 1e-9 * (1 + rows);
  return terms[rows]! - terms[before]! - terms[behind]! - 0.5 * log(Math.max(1, rows)) + rounding * log(2 + rows);
}

/** n log n of every number of rows that there may be. */
function entropyTerms(rows: number): Float64Array {
  const terms = new Float64Array(rows + 1);
  for (let count = 2; count <= rows; count++) terms[count] = count * log(count);
  return terms;
}
