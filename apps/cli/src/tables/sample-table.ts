import type { Table } from '@orchard/contracts';
import { csvOf, listNames, valuesOf, type Restriction } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { encodeTable, tableFile, type TextColumn } from '../output/table-file.js';
import { writeOutput } from '../output/write-output.js';
import { rejectCopies, type Sampled } from '../rows/reject-copies.js';
import { keyOfTexts, keysOfFile } from './row-keys.js';
import { givenOf } from './given.js';

export interface SampleTableOptions {
  readonly count: number;
  readonly seed: number;
  readonly out?: string;
  readonly given?: readonly string[];
  /** A file whose rows are not sampled. */
  readonly rejectCopies?: string;
}

/** Particles a row where what is given does not come first in the ordering. */
const PARTICLES = 64;
/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;

/** Draws rows in the table's own words: the columns of the training file, in its order and formats. */
export async function sampleTable(model: TabularModel, options: SampleTableOptions, terminal: Terminal): Promise<void> {
  const { count, seed, out, given = [], rejectCopies: originals } = options;
  const { path: file, ending } = tableFile(out);
  const { table } = model;
  const keys = originals === undefined ? null : await keysOfFile(originals, table);
  const restrictions = givenOf(model, given);
  const draw = (rows: number, own: number, says: Terminal | null): (string | null)[][] => {
    const matrix =
      given.length === 0 ? model.sample(rows, own) : drawGiven(model, { count: rows, seed: own }, restrictions, says);
    return valuesOf(matrix, table, own, restrictions);
  };
  const texts = draw(count, seed, terminal);
  const lost = table.leftOut.filter(({ countsFrom }) => countsFrom === undefined).map(({ name }) => name);
  if (lost.length > 0) terminal.note(`orchard: without ${listNames(lost)}, of which the model knows nothing`);
  const sampled: Sampled = {
    keyOf: (row) => keyOfTexts(table, (index) => texts[index]![row]!),
    replace: (rows, own) => {
      const others = draw(rows.length, own, null);
      rows.forEach((row, at) => texts.forEach((column, index) => (column[row] = others[index]![at]!)));
    },
  };
  const rejected = keys === null ? null : rejectCopies(sampled, keys, { count, seed, file: originals! }, terminal);
  const encode = (shown: number): Promise<Uint8Array[]> => {
    const some = texts.map((column) => column.slice(0, shown));
    return encodeTable(ending, columnsOf(some, table), () => csvOf(some, table));
  };
  if (file !== undefined) {
    await writeOutput(file, '--out', await encode(count));
    terminal.result(`${counted(count, 'row')} in ${file}`);
  } else if (out === undefined && terminal.showsResults && count > MOST_SHOWN) {
    await terminal.data(await encode(MOST_SHOWN));
    terminal.result(`… and ${counted(count - MOST_SHOWN, 'more row')}: --out FILE writes all, --out - prints them`);
  } else await terminal.data(await encode(count));
  terminal.document({
    rows: count,
    variables: table.variables.map(({ name }) => name),
    seed,
    ...(rejected !== null && { rejected }),
    path: file ?? null,
    ...(file === undefined
      ? { values: Array.from({ length: count }, (_, row) => texts.map((column) => column[row]!)) }
      : {}),
  });
}

/** The columns of the training file in its order, those that were left out excepted. */
function columnsOf(texts: readonly (readonly (string | null)[])[], table: Table): TextColumn[] {
  const rows = texts[0]?.length ?? 0;
  return table.columns.flatMap((name): TextColumn[] => {
    const index = table.variables.findIndex((variable) => variable.name === name);
    if (index >= 0) return [{ name, texts: texts[index]!, variable: table.variables[index] }];
    const from = table.leftOut.find((column) => column.name === name)?.countsFrom;
    if (from === undefined) return [];
    return [{ name, texts: Array.from({ length: rows }, (_, row) => String(from + row)) }];
  });
}

function drawGiven(
  model: TabularModel,
  { count, seed }: Pick<SampleTableOptions, 'count' | 'seed'>,
  given: ReadonlyMap<number, Restriction>,
  terminal: Terminal | null,
): ReturnType<TabularModel['sample']> {
  const nothing = model.emptyRows(count);
  const { matrix, exact, effectiveSampleSize, logEvidence } = model.completions(nothing, nothing, {
    seed,
    samples: PARTICLES,
    draws: 1,
    given,
    mayBeAbsent: true,
  })[0]!;
  const mean = logEvidence.reduce((sum, nats) => sum + Math.exp(nats), 0) / count;
  terminal?.note(`orchard: ${(100 * mean).toPrecision(3)} % of all rows are like that`);
  if (exact[0] !== 1) {
    const least = effectiveSampleSize.reduce((low, size) => Math.min(low, size), Infinity);
    terminal?.note(
      `orchard: each row from ${String(PARTICLES)} particles, worth at least ${least.toFixed(1)} independent ones`,
    );
  }
  return matrix;
}
