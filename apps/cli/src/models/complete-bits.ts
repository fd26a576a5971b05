import { fillTable, missingCells } from '@orchard/analysis';
import { drawsFor } from '../fills/draws-for.js';
import { nameOfDimension, type BitMatrix } from '@orchard/dataset';
import { asTabular, isMostProbable, type Completion, type DensityModel } from '@orchard/model';
import {
  cellDocument,
  completeDocument,
  type Completed,
  type CompleteDocument,
} from '../documents/complete-document.js';
import { filledCellColumns } from '../fills/filled-cells.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { encodeBatches, tableFile, type TextColumn } from '../output/table-file.js';
import { encodeRows, kindOfFile, shapeFor, valuesOf } from '../output/write-rows.js';
import { writeOutput } from '../output/write-output.js';
import { answeringOf, answerOf } from '../tables/complete/answer-rows.js';
import type { CompleteTableOptions } from '../tables/complete/answering.js';
import { hardlyRandom } from '../tables/complete/trust.js';
import { loadMaskedRows, type LoadedNetwork } from './load-network.js';

/** Particles per row, where nothing is said. */
const PARTICLES = 256;

/** Rows of 0 and 1, and of each value whether it is known. */
interface MaskedBits {
  readonly values: BitMatrix;
  readonly known: BitMatrix;
}

/** An answer: rows of 0 and 1, or columns in words. */
type Written = { readonly matrix: BitMatrix } | { readonly columns: readonly TextColumn[] };

interface Answered {
  readonly written: Written;
  /** How, behind what was asked of how many missing values. */
  readonly how: string;
  readonly warning?: string | undefined;
  readonly document: Partial<Completed> & Pick<CompleteDocument, 'exactRows'>;
}

/**
 * Fills in the missing values of rows of 0 and 1, or says what they may be: what is asked of tables, asked of columns
 * that are all binary. Whole rows may be written as images and arrays too.
 */
export async function completeBits(
  { network }: LoadedNetwork,
  data: string,
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  const out = options.out === '-' ? undefined : options.out;
  const isListing = options.probabilities === true || options.interval !== undefined || (options.draws ?? 1) > 1;
  // what cannot be written is refused before any row is read
  const listing = isListing ? tableFile(out) : null;
  const kind = listing !== null || out === undefined ? '.csv' : kindOfFile(out);
  if (kind === '.png') shapeFor(network);
  const rows = await loadMaskedRows(data, network, options, terminal);
  const { written, how, warning, document } = answer(network, rows, options, terminal.json);
  const bytes =
    'matrix' in written
      ? encodeRows(written.matrix, kind)
      : encodeBatches(listing?.ending ?? '.csv', [written.columns]);
  let text = '';
  if (out !== undefined) await writeOutput(out, '--out', bytes);
  else if (!terminal.json) await terminal.data(bytes);
  else for await (const piece of bytes) text += new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece);
  const all = rows.values.rows;
  const missing = all * network.dimensions - rows.known.columnCounts().reduce((sum, cells) => sum + cells, 0);
  const of = `${counted(missing, 'missing value')} of ${counted(all, 'row')}`;
  const { words, name } = answerOf(options);
  terminal.note(`orchard: ${words} of ${of}${out === undefined ? '' : `, in ${out}`}; ${how}`);
  if (warning !== undefined) terminal.note(`orchard: ${warning}`);
  const shown = out !== undefined ? {} : { text };
  const former = 'matrix' in written && out === undefined ? { values: valuesOf(written.matrix) } : {};
  terminal.document(
    completeDocument({ rows: all, missing, answer: name, path: out ?? null, ...document, ...shown, ...former }),
  );
}

function answer(
  network: DensityModel,
  rows: MaskedBits,
  options: CompleteTableOptions,
  wantsDocument: boolean,
): Answered {
  const { seed, samples = PARTICLES } = options;
  if (options.mostProbable === true && isMostProbable(network)) {
    const { matrix, logLikelihood } = network.mostProbable(rows.values, rows.known);
    const logProbability = [...logLikelihood];
    const document = { exactRows: matrix.rows, logProbability, logLikelihood: logProbability };
    return { written: { matrix }, how: 'exactly', document };
  }
  if (options.point !== undefined || options.interval !== undefined) return byPoints(network, rows, options, samples);
  if (options.probabilities === true || (options.draws ?? 1) > 1)
    return asOfTable(network, rows, { ...options, samples }, wantsDocument);
  const completion = network.complete(rows.values, rows.known, { seed, samples });
  return {
    written: { matrix: completion.matrix },
    ...trustOf(completion, samples),
    document: { ...figuresOf(completion), draws: 1, seed, samples },
  };
}

/** The more probable value of each missing one, or these with their intervals. */
function byPoints(
  network: DensityModel,
  { values, known }: MaskedBits,
  options: CompleteTableOptions,
  samples: number,
): Answered {
  const { seed, point = 'median', interval } = options;
  const draws = drawsFor(interval, options.draws);
  const rows = { firstRow: 0, matrix: values, known, values: new Map(), misfits: new Set<number>() };
  const { cells, isExact } = fillTable(asTabular(network), rows, { seed, samples, draws, point, interval });
  const matrix = values.sliceRows(0, values.rows);
  for (const { row, index, value } of cells) matrix.set(row, index, value === '1');
  const nameOf = (dim: number): string => nameOfDimension(dim, network.names);
  return {
    written: interval === undefined ? { matrix } : { columns: filledCellColumns(cells, nameOf) },
    how: isExact ? 'exactly' : `by ${counted(draws, 'sample')}`,
    document: {
      exactRows: isExact ? values.rows : 0,
      point,
      isExact,
      ...(!isExact && { draws, seed, samples }),
      ...(interval !== undefined && { interval, cells: cells.map((cell) => cellDocument(cell, nameOf)) }),
    },
  };
}

/** Several samples of each row, or the probabilities of each missing value, as a table has them. */
function asOfTable(
  network: DensityModel,
  { values: matrix, known }: MaskedBits,
  options: CompleteTableOptions,
  wantsDocument: boolean,
): Answered {
  const model = asTabular(network);
  const rows = { firstRow: 0, matrix, known, values: new Map(), misfits: new Set<number>() };
  const { columns } = model.table;
  const file = { areTyped: false, types: null, unreadable: new Set<number>(), written: null };
  const answering = answeringOf({
    model,
    options,
    columns,
    places: [...columns.keys()],
    readings: [],
    file,
    rules: null,
    wantsDocument,
  });
  const cellAt = (row: number, column: number): string => String(matrix.get(row, column));
  const { columns: written, ofRows } = answering.answer({
    ...rows,
    missing: missingCells(model, rows),
    cellAt,
    numberAt: () => NaN,
  });
  const { how, document, warning } = answering.said();
  return { written: { columns: written }, how, warning, document: { ...document, ...ofRows } };
}

/** How far samples can be trusted, in words. */
function trustOf(
  { exact, effectiveSampleSize, logEvidenceError }: Completion,
  samples: number,
): Pick<Answered, 'how' | 'warning'> {
  const exactRows = exact.reduce((sum, isExact) => sum + isExact, 0);
  const least = leastOf(effectiveSampleSize, exact);
  const how = `${counted(exactRows, 'row')} exactly`;
  if (least === null) return { how };
  const largest = logEvidenceError.reduce((most, error) => Math.max(most, error), 0);
  const error =
    largest === Infinity
      ? 'within an error that one particle cannot tell'
      : `within ±${largest.toFixed(2)} nats at worst`;
  return {
    how: `${how}, the others from ${count(samples)} particles (smallest effective sample size ${least.toFixed(1)}; log P of what is known ${error})`,
    warning: hardlyRandom(least),
  };
}

function figuresOf({
  exact,
  effectiveSampleSize,
  logEvidence,
  logEvidenceError,
}: Completion): Pick<
  CompleteDocument,
  'exactRows' | 'smallestEffectiveSampleSize' | 'effectiveSampleSize' | 'logEvidence' | 'logEvidenceError'
> {
  const least = leastOf(effectiveSampleSize, exact);
  const drawn = Array.from(effectiveSampleSize).filter((_, row) => exact[row] === 0);
  return {
    exactRows: exact.reduce((sum, isExact) => sum + isExact, 0),
    smallestEffectiveSampleSize: least,
    effectiveSampleSize:
      least === null ? null : { least, mean: drawn.reduce((sum, size) => sum + size, 0) / drawn.length },
    logEvidence: [...logEvidence],
    // null: one particle says nothing about its error
    logEvidenceError: Array.from(logEvidenceError, (error) => (error === Infinity ? null : error)),
  };
}

/** The smallest of the rows that are not exact; null where all are. */
function leastOf(effectiveSampleSize: Float64Array, exact: Uint8Array): number | null {
  const least = effectiveSampleSize.reduce(
    (low, size, row) => (exact[row] === 1 ? low : Math.min(low, size)),
    Infinity,
  );
  return least === Infinity ? null : least;
}
