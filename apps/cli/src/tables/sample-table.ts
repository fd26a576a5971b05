import { csvOf, listNames, valuesOf, type Restriction } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { writeOutput } from '../output/write-output.js';
import { csvFile } from './csv-file.js';
import { givenOf } from './given.js';

export interface SampleTableOptions {
  readonly count: number;
  readonly seed: number;
  readonly out?: string;
  readonly given?: readonly string[];
}

/** Particles a row where what is given does not come first in the ordering. */
const PARTICLES = 64;
/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;

/** Draws rows in the table's own words: the columns of the training file, in its order and formats. */
export async function sampleTable(model: TabularModel, options: SampleTableOptions, terminal: Terminal): Promise<void> {
  const { count, seed, out, given = [] } = options;
  const file = csvFile(out);
  const { table } = model;
  const restrictions = givenOf(model, given);
  const rows = given.length === 0 ? model.sample(count, seed) : drawGiven(model, options, restrictions, terminal);
  const texts = valuesOf(rows, table, seed, restrictions);
  const lost = table.leftOut.filter(({ countsFrom }) => countsFrom === undefined).map(({ name }) => name);
  if (lost.length > 0) terminal.note(`orchard: without ${listNames(lost)}, of which the model knows nothing`);
  const encode = (shown: number): Uint8Array[] => [
    new TextEncoder().encode(
      csvOf(
        texts.map((column) => column.slice(0, shown)),
        table,
      ),
    ),
  ];
  if (file !== undefined) {
    await writeOutput(file, '--out', encode(count));
    terminal.result(`${counted(count, 'row')} in ${file}`);
  } else if (out === undefined && terminal.showsResults && count > MOST_SHOWN) {
    await terminal.data(encode(MOST_SHOWN));
    terminal.result(`… and ${counted(count - MOST_SHOWN, 'more row')}: --out FILE writes all, --out - prints them`);
  } else await terminal.data(encode(count));
  terminal.document({
    rows: count,
    variables: table.variables.map(({ name }) => name),
    seed,
    path: file ?? null,
    ...(file === undefined
      ? { values: Array.from({ length: count }, (_, row) => texts.map((column) => column[row]!)) }
      : {}),
  });
}

function drawGiven(
  model: TabularModel,
  { count, seed }: SampleTableOptions,
  given: ReadonlyMap<number, Restriction>,
  terminal: Terminal,
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
  terminal.note(`orchard: ${(100 * mean).toPrecision(3)} % of all rows are like that`);
  if (exact[0] !== 1) {
    const least = effectiveSampleSize.reduce((low, size) => Math.min(low, size), Infinity);
    terminal.note(
      `orchard: each row from ${String(PARTICLES)} particles, worth at least ${least.toFixed(1)} independent ones`,
    );
  }
  return matrix;
}
