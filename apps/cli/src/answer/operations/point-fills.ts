import type { Table } from '@orchard/contracts';
import { numberOf, writeValue, type BitMatrix } from '@orchard/dataset';
import { isExact, toValues, type Completion, type DensityModel } from '@orchard/model';
import { columnsOf, type TableRowsDocument } from '../rows.js';

/** What one value a missing one may be filled in by. */
export const points = ['mean', 'median', 'mode'] as const;
type Point = (typeof points)[number];

/** Values of each variable and row, null for a missing one. */
type Texts = readonly (readonly (string | null)[])[];

/**
 * One value for each cell from several completions. Labels have neither mean nor median: of them the most frequent one is taken, whatever is
 * asked for, and their interval is that label.
 *
 * @param isMissing all other cells are as in the first completion
 * @param interval the share of the completions that lies between `low` and `high`
 */
export function pointFills(
  table: Table,
  completions: readonly Texts[],
  isMissing: (row: number, variable: number) => boolean,
  point: Point,
  interval: number | undefined,
): { rows: TableRowsDocument[]; low?: TableRowsDocument; high?: TableRowsDocument } {
  const documentOf = (pick: (ascending: Float64Array) => number, ofMasses: boolean): TableRowsDocument => {
    const texts = table.variables.map((variable, index) => {
      const ofDraws = completions.map((own) => own[index]!);
      return ofDraws[0]!.map((_, row) => {
        if (!isMissing(row, index)) return ofDraws[0]![row] ?? null;
        const own = ofDraws.map((column) => column[row] ?? null);
        const isNumber = variable.kind === 'ordered' && (variable.measure === 'density' || ofMasses);
        if (!isNumber || own.includes(null)) return mostFrequent(own);
        const numbers = Float64Array.from(own, (text) => numberOf(text!, variable.format)).sort();
        return writeValue(pick(numbers), variable.format);
      });
    });
    return { count: texts[0]?.length ?? 0, columns: columnsOf(texts, table) };
  };
  const rows = [documentOf((numbers) => pointOf(numbers, point), point !== 'mode')];
  if (interval === undefined) return { rows };
  const side = (1 - interval) / 2;
  return {
    rows,
    low: documentOf((numbers) => quantile(numbers, side), true),
    high: documentOf((numbers) => quantile(numbers, 1 - side), true),
  };
}

function pointOf(ascending: Float64Array, point: Point): number {
  if (point === 'median') return quantile(ascending, 0.5);
  if (point === 'mode') return densestOf(ascending);
  return ascending.reduce((sum, number) => sum + number, 0) / ascending.length;
}

/** Between the two nearest, as numpy's default. */
function quantile(ascending: Float64Array, share: number): number {
  const at = share * (ascending.length - 1);
  const below = Math.floor(at);
  const [low, high] = [ascending[below]!, ascending[Math.min(below + 1, ascending.length - 1)]!];
  return low + (at - below) * (high - low);
}

/** The middle of the narrowest half of the numbers (the half-sample mode, taken to the end). */
function densestOf(ascending: Float64Array): number {
  let [from, to] = [0, ascending.length];
  while (to - from > 2) {
    const half = Math.ceil((to - from) / 2);
    let best = from;
    for (let at = from; at + half <= to; at++)
      if (ascending[at + half - 1]! - ascending[at]! < ascending[best + half - 1]! - ascending[best]!) best = at;
    [from, to] = [best, best + half];
  }
  return (ascending[from]! + ascending[to - 1]!) / 2;
}

/** Of equally frequent ones the one that came first. */
function mostFrequent(texts: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let best = texts[0] ?? null;
  for (const [text, times] of counts) if (times > counts.get(best)!) best = text;
  return best;
}

/** The more probable value of each missing one: exactly where the model can, else by completions. Known values stay. */
export function pointBits(
  model: DensityModel,
  values: BitMatrix,
  known: BitMatrix,
  { seed, samples, draws }: { readonly seed: number; readonly samples: number; readonly draws: number },
): { bits: Uint8Array; completion: Completion } {
  const completion = model.complete(values, known, { seed, samples });
  if (isExact(model))
    return { bits: Uint8Array.from(model.marginals(values, known).rates, (rate) => (rate > 0.5 ? 1 : 0)), completion };
  const ones = new Float64Array(values.rows * model.dimensions);
  for (let draw = 0; draw < draws; draw++) {
    const { matrix } = draw === 0 ? completion : model.complete(values, known, { seed: seed + draw, samples });
    toValues(matrix).forEach((bit, at) => {
      ones[at]! += bit;
    });
  }
  return { bits: Uint8Array.from(ones, (times) => (times > draws / 2 ? 1 : 0)), completion };
}
