import type { Table, Variable } from '@orchard/contracts';
import {
  coarseGroups,
  codeCount,
  codeOffsets,
  otherCode,
  readCodes,
  type BitMatrix,
  type CodeGroups,
} from '@orchard/dataset';
import { log } from '@orchard/numerics';
import { countTogether, groupedColumn, marginOf, type GroupedColumn } from './pairs/grouped-pairs.js';
import { givenByRows } from './pairs/given-by-rows.js';
import { LeftOutColumn } from './pairs/left-out-column.js';
import { LeftOutGains } from './pairs/left-out-gains.js';
import { LeftOutTerms } from './pairs/left-out-terms.js';
import type { PairInformation } from './pairs/pair-information.js';
import { spanningTree } from './pairs/spanning-tree.js';
import { CodeForest, type ForestVariable } from './code-forest.js';

/**
 * Groups of values that an edge distinguishes are tried in these steps, up to as many as its variables have codes.
 */
const FEWEST_GROUPS = 2;
/** Steps without a gain after which finer groups of a pair are not tried: few groups tell nothing of an identifier. */
const PATIENCE = 4;

/** How many rows may be lent. */
const LENT = [0, 0.25, 1, 4, 16, 64];
/** Of these, while edges are compared: with less a rare value speaks against what else goes together. */
const LENT_WHILE_COMPARED = [1, 4];

/** A forest of a table's variables and what its edges tell. */
export interface LearntCodeForest {
  readonly forest: CodeForest;
  /** What the edge to its parent tells of a variable, nats per row, of rows that are left out; 0 of roots. */
  readonly information: Float64Array;
}

export interface CodeForestOptions {
  /** Pseudo-rows, added to the counts of each pair of variables, spread evenly over all pairs of codes. */
  readonly added: number;
  /**
   * Rows that each line of an edge's probabilities is lent, spread as all rows are: what goes with a value of few rows
   * is drawn towards what is usual. With `auto` 0 to 64, for each edge, and there for values of few rows and of many,
   * what rows that are left out like best.
   *
   * @default 0
   */
  readonly lent?: number | 'auto';
  /**
   * Rows that are left out together while edges are judged ({@link copiesOf}): so much more is added and lent, as if
   * each row were there once.
   *
   * @default 1
   */
  readonly copies?: number;
}

/** Codes of all variables. */
export type CodeColumns = readonly Uint16Array[];

/** @param lents rows that may be lent where none are said */
function termsOf({ added, lent = 0, copies = 1 }: CodeForestOptions, lents: readonly number[]): LeftOutTerms {
  const tried = lent === 'auto' ? lents : [lent];
  return new LeftOutTerms(
    copies * added,
    tried.map((rows) => copies * rows),
    copies,
  );
}

/**
 * How many copies a row has on average, itself included, that stand one after another, as rows do that count more than
 * once: Σ n² / Σ n over stretches of n equal rows. 1 where no two are alike.
 */
export function copiesOf(train: CodeColumns): number {
  const rows = train[0]?.length ?? 0;
  let [squares, stretch] = [0, 0];
  for (let row = 0; row < rows; row++) {
    stretch++;
    if (row + 1 < rows && train.every((codes) => codes[row] === codes[row + 1])) continue;
    squares += stretch * stretch;
    stretch = 0;
  }
  return rows === 0 ? 1 : squares / rows;
}

/** @param rows of the table */
export function codeColumns(rows: Pick<BitMatrix, 'rows' | 'stride' | 'bytes'>, { variables }: Table): CodeColumns {
  const offsets = codeOffsets({ variables });
  return variables.map((_, index) => readCodes(rows, offsets[index]!, offsets[index + 1]!));
}

/** Every variable on its own: (n + added / codes) / (N + added) of each code. */
export function codeProduct({ variables }: Table, train: CodeColumns, added: number): LearntCodeForest {
  const alone = variables.map((variable, index): ForestVariable => {
    const groupOf = new Uint16Array(codeCount(variable));
    return {
      parent: -1,
      groupOf,
      within: ratesOf(train[index]!, groupOf.length, added),
      given: Float64Array.of(1),
    };
  });
  return { forest: new CodeForest(alone), information: new Float64Array(alone.length) };
}

/** An edge as it is learned. */
interface Edge {
  /** Groups of each of its variables, at most. */
  readonly most: number;
  /** Nats, summed over all rows (`leftOutGain`), the mean of both directions. */
  readonly gain: number;
}

/**
 * What the edges between a table's variables gain, as {@link chowLiuOfCodes} asks for it. Where they are many they are
 * looked at before, variable by variable, so that the caller has pauses; the others when they are asked for.
 */
export class PairGains {
  readonly #edgeOf: (one: number, other: number) => Edge;
  readonly #size: number;
  /** Of each variable, the gains of its edges to those behind it. */
  readonly #known: Float64Array[] = [];

  constructor({ variables }: Table, train: CodeColumns, valid: CodeColumns, options: CodeForestOptions) {
    const columnOf = groupedColumns(variables, train, neverSeenCodes(variables, train, valid));
    const terms = termsOf(options, LENT_WHILE_COMPARED);
    const judgedOf = made(variables.length, (index, most) => new LeftOutColumn(columnOf(index, most), terms));
    const gains = new LeftOutGains();
    this.#edgeOf = (one, other) => edgeBetween(variables, judgedOf, gains, one, other);
    this.#size = variables.length;
  }

  /** Looks at the edges from a variable to those behind it. */
  look(one: number): void {
    this.#known[one] = Float64Array.from(
      { length: this.#size - one - 1 },
      (_, behind) => this.#edgeOf(one, one + 1 + behind).gain,
    );
  }

  of(a: number, b: number): number {
    return this.#known[Math.min(a, b)]?.[Math.abs(a - b) - 1] ?? this.edge(a, b).gain;
  }

  edge(a: number, b: number): Edge {
    return this.#edgeOf(Math.min(a, b), Math.max(a, b));
  }
}

/**
 * The forest of most likelihood over a table's variables (Chow and Liu, 1968), by groups of their codes. A pair is
 * judged by rows that are left out, one by one, of its counts: so each edge has as many groups as tell most, 2, 4, 8, …
 * a variable (`coarseGroups`), and chance tells nothing. Of equal edges the earlier one is taken. There is no edge that
 * gains less than the best of as many pairs would by chance. O(V² rows) for each number of groups.
 *
 * @param train codes of the training rows
 * @param valid of the validation rows: of them is asked only whether they have values that training had not
 */
export function chowLiuOfCodes(
  table: Table,
  train: CodeColumns,
  valid: CodeColumns,
  options: CodeForestOptions,
  gains = new PairGains(table, train, valid, options),
): LearntCodeForest {
  const { variables } = table;
  const { copies = 1 } = options;
  const added = copies * options.added;
  const neverSeen = neverSeenCodes(variables, train, valid);
  const columnOf = groupedColumns(variables, train, neverSeen);
  const terms = termsOf(options, LENT);
  const size = variables.length;
  const { parents, weights } = spanningTree(size, 0, (a, b) => gains.of(a, b));
  // twice the gain of an edge of chance is about as chi squared: of so many the greatest is about that of their number
  const byChance = log(Math.max(1, (size * (size - 1)) / 2));
  const edges = Array.from(parents, (parent, index) =>
    parent !== index && weights[index]! > copies * byChance ? { parent, ...gains.edge(parent, index) } : null,
  );
  const steps = variables.map((_, index) => [
    ...new Set(edges.flatMap((edge, child) => (edge && (child === index || edge.parent === index) ? [edge.most] : []))),
  ]);
  // of each variable the groups that any of its edges tells apart
  const grouped = variables.map((variable, index) =>
    refined(
      steps[index]!.map((most) => columnOf(index, most)),
      train[index]!,
      codeCount(variable),
    ),
  );
  return {
    forest: new CodeForest(
      variables.map((variable, index): ForestVariable => {
        const edge = edges[index]!;
        const own = grouped[index]!;
        const rates = ratesOf(train[index]!, codeCount(variable), added);
        const never = neverSeen[index]!;
        const rows = train[index]!.length + 2;
        // less likely than what pairs without a row leave to any value that there was
        if (never !== null) rates[never] = 1 / (rows * rows * rows);
        return {
          parent: edge?.parent ?? -1,
          groupOf: own.groupOf,
          within: sharesWithin(rates, own.groupOf, own.counts.length),
          given: edge ? spreadOut(edge, index) : marginOf(own, added),
        };
      }),
    ),
    information: Float64Array.from(edges, (edge) => (edge ? edge.gain / train[0]!.length : 0)),
  };

  /** P(group | group of the parent) of the groups that edges of both tell apart, by the coarser ones of their edge. */
  function spreadOut({ parent, most }: Edge & { parent: number }, index: number): Float64Array {
    const [child, other] = [columnOf(index, most), columnOf(parent, most)];
    const coarse = givenByRows(child, other, countTogether(other, child), terms);
    const [own, above] = [grouped[index]!, grouped[parent]!];
    const margin = marginOf(own, added);
    const sums = marginOf(child, added);
    const [groupOf, groupAbove] = [groupsOfGroups(own, child), groupsOfGroups(above, other)];
    const fine = new Float64Array(margin.length * above.counts.length);
    return fine.map((_, at) => {
      const [h, g] = [groupAbove[Math.floor(at / margin.length)]!, groupOf[at % margin.length]!];
      return (coarse[h * sums.length + g]! * margin[at % margin.length]!) / sums[g]!;
    });
  }
}

/**
 * What pairs of a table's variables tell of each other, nats per row of rows that are left out: what edges of a forest
 * are judged by, so that chance tells nothing, however many values a variable has.
 *
 * @param train codes of the training rows
 * @param gains of these rows, of all pairs
 */
export function codePairs({ variables }: Table, train: CodeColumns, gains: PairGains): PairInformation {
  return {
    dimensions: variables.length,
    entropy: (index) =>
      ratesOf(train[index]!, codeCount(variables[index]!), 0).reduce(
        (sum, rate) => (rate === 0 ? sum : sum - rate * log(rate)),
        0,
      ),
    information: (one, other) => gains.of(one, other) / train[0]!.length,
  };
}

/** Of each variable the code "(other)" where neither training nor validation rows have it. */
export function neverSeenCodes(
  variables: readonly Variable[],
  train: CodeColumns,
  valid: CodeColumns,
): readonly (number | null)[] {
  return variables.map((variable, index) => {
    const other = otherCode(variable);
    return other === null || train[index]!.includes(other) || valid[index]!.includes(other) ? null : other;
  });
}

/** The edge of two variables with the groups that gain most; without a gain it has none. */
function edgeBetween(
  variables: readonly Variable[],
  columnOf: (index: number, most: number) => LeftOutColumn,
  gains: LeftOutGains,
  a: number,
  b: number,
): Edge {
  const finest = Math.max(codeCount(variables[a]!), codeCount(variables[b]!));
  let best = { most: 0, gain: 0 };
  let [withoutGain, isFinest] = [0, false];
  for (let most = FEWEST_GROUPS; !isFinest && withoutGain < PATIENCE; most *= 2) {
    isFinest = most >= finest;
    const gain = gains.between(columnOf(a, most), columnOf(b, most));
    withoutGain++;
    if (gain > best.gain) {
      best = { most, gain };
      withoutGain = 0;
    }
  }
  return best;
}

/** The columns of the training rows in at most so many groups; each is made once. */
function groupedColumns(
  variables: readonly Variable[],
  train: CodeColumns,
  neverSeen: readonly (number | null)[],
): (index: number, most: number) => GroupedColumn {
  return made(variables.length, (index, most) => {
    const own = coarseGroups(variables[index]!, most);
    const never = neverSeen[index]!;
    const { groupOf, groups } = never === null ? own : besideTheRarest(own, never);
    return groupedColumn(train[index]!, groupOf, groups);
  });
}

/** What is made of a variable in at most so many groups, each once. */
function made<Made>(variables: number, make: (index: number, most: number) => Made) {
  const known = Array.from({ length: variables }, () => new Map<number, Made>());
  return (index: number, most: number): Made => {
    const own = known[index]!.get(most) ?? make(index, most);
    known[index]!.set(most, own);
    return own;
  };
}

/** Groups of codes that all of these tell apart; one group where there are none. */
function refined(columns: readonly GroupedColumn[], codes: Uint16Array, size: number): GroupedColumn {
  const groups = new Map<string, number>();
  const groupOf = Uint16Array.from({ length: size }, (_, code) => {
    const key = columns.map((column) => column.groupOf[code]!).join();
    const group = groups.get(key) ?? groups.size;
    groups.set(key, group);
    return group;
  });
  return groupedColumn(codes, groupOf, groups.size);
}

/** Of each finer group the coarser one that it lies in. */
function groupsOfGroups(fine: GroupedColumn, coarse: GroupedColumn): Uint16Array {
  const groups = new Uint16Array(fine.counts.length);
  fine.groupOf.forEach((group, code) => {
    groups[group] = coarse.groupOf[code]!;
  });
  return groups;
}

/** P(code | its group). */
function sharesWithin(rates: Float64Array, groupOf: Uint16Array, groups: number): Float64Array {
  const sums = new Float64Array(groups);
  rates.forEach((rate, code) => {
    sums[groupOf[code]!]! += rate;
  });
  return rates.map((rate, code) => rate / sums[groupOf[code]!]!);
}

/** The same groups without one of its own for "(other)", which no row has: it is in that of the value before it. */
function besideTheRarest({ groupOf, groups }: CodeGroups, other: number): CodeGroups {
  const own = groupOf[other]!;
  if (other === 0 || groupOf.some((group, code) => code !== other && group === own)) return { groupOf, groups };
  const fewer = groupOf.map((group) => (group > own ? group - 1 : group));
  fewer[other] = fewer[other - 1]!;
  return { groupOf: fewer, groups: groups - 1 };
}

/** P(code): (n + added / codes) / (N + added). */
function ratesOf(codes: Uint16Array, size: number, added: number): Float64Array {
  const counts = new Uint32Array(size);
  for (let row = 0; row < codes.length; row++) counts[codes[row]!]!++;
  return Float64Array.from(counts, (count) => (count + added / size) / (codes.length + added));
}
