import {
  codeCount,
  holeCode,
  isHole,
  labelOf,
  medianValuesOf,
  openTable,
  otherCode,
  valuesOf,
  wordsOf,
  type BitMatrix,
} from '@orchard/dataset';
import {
  isExactOfTable,
  isMostProbable,
  PARTICLES_OF_TABLES,
  type Completion,
  type TabularModel,
} from '@orchard/model';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { csvField } from '../output/write-rows.js';
import { tableFileOptions } from '../options/table-options.js';
import { writeOutput } from '../output/write-output.js';
import { csvFile } from './csv-file.js';
import { knownBits, loadTableRows, type TableRowsOptions } from './load-table-rows.js';

export interface CompleteTableOptions extends TableRowsOptions {
  readonly seed: number;
  readonly samples?: number;
  readonly draws?: number;
  readonly probabilities?: true;
  readonly mostProbable?: true;
  readonly out?: string;
}

/** Draws a row for the distribution of its blanks. */
const DRAWS_FOR_PROBABILITIES = 200;
/** Rows whose effective sample size is below are said to be hardly random. */
const FEW_EFFECTIVE = 10;

/** Fills the blanks of a table, and nothing else: all other cells come out as they went in. */
export async function completeTableFile(
  model: TabularModel,
  file: string,
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  const { seed, samples = PARTICLES_OF_TABLES, draws = 1, probabilities } = options;
  const out = csvFile(options.out);
  const rows = await loadTableRows(file, model, options, 'unknown', terminal);
  const known = knownBits(rows, model);
  const blanks = blanksOf(model, known);
  if (probabilities === true && isExactOfTable(model)) {
    const { probabilities: shares, logEvidence } = model.distributions(rows.matrix, known);
    const text = exactProbabilitiesCsv(model, blanks, shares);
    if (out === undefined) await terminal.data([new TextEncoder().encode(text)]);
    else await writeOutput(out, '--out', [new TextEncoder().encode(text)]);
    terminal.note(
      `orchard: probabilities of ${counted(blanks.length, 'blank')} of ${counted(rows.matrix.rows, 'row')}${out === undefined ? '' : `, in ${out}`}; exactly`,
    );
    terminal.document({
      rows: rows.matrix.rows,
      missing: blanks.length,
      exactRows: rows.matrix.rows,
      logEvidence: [...logEvidence],
      path: out ?? null,
      ...(out === undefined ? { text } : {}),
    });
    return;
  }
  if (options.mostProbable === true && isMostProbable(model)) {
    const { matrix, logLikelihood } = model.mostProbable(rows.matrix, known);
    const text = await filledCsv(model, file, options, known, [medianValuesOf(matrix, model.table)]);
    if (out === undefined) await terminal.data([new TextEncoder().encode(text)]);
    else await writeOutput(out, '--out', [new TextEncoder().encode(text)]);
    terminal.note(
      `orchard: most probable values of ${counted(blanks.length, 'blank')} of ${counted(matrix.rows, 'row')}${out === undefined ? '' : `, in ${out}`}; exactly, of a bin its median`,
    );
    terminal.document({
      rows: matrix.rows,
      missing: blanks.length,
      logProbabilityOfCodes: [...logLikelihood],
      path: out ?? null,
      ...(out === undefined ? { text } : {}),
    });
    return;
  }
  const wanted = probabilities === true ? DRAWS_FOR_PROBABILITIES : draws;
  const completions = model.completions(rows.matrix, known, { seed, samples, draws: wanted });
  const text =
    probabilities === true
      ? probabilitiesCsv(model, blanks, completions)
      : await filledCsv(
          model,
          file,
          options,
          known,
          completions.map(({ matrix }, draw) => valuesOf(matrix, model.table, seed + draw)),
        );
  if (out === undefined) await terminal.data([new TextEncoder().encode(text)]);
  else await writeOutput(out, '--out', [new TextEncoder().encode(text)]);
  const { exact, effectiveSampleSize } = completions[0]!;
  const inexact = [...exact.keys()].filter((row) => exact[row] === 0);
  const least =
    inexact.length === 0 ? null : inexact.reduce((low, row) => Math.min(low, effectiveSampleSize[row]!), Infinity);
  terminal.note(
    `orchard: ${counted(blanks.length, 'value')} of ${counted(rows.matrix.rows, 'row')} drawn${out === undefined ? '' : `, in ${out}`}; ${count(exact.length - inexact.length)} rows exactly` +
      (least === null
        ? ''
        : `, the others from ${count(samples)} particles (smallest effective sample size ${least.toFixed(1)})`),
  );
  if (least !== null && least < FEW_EFFECTIVE)
    terminal.note('orchard: some known values are unlikely together; more --samples bring the draws closer to exact');
  terminal.document({
    rows: rows.matrix.rows,
    missing: blanks.length,
    exactRows: exact.length - inexact.length,
    smallestEffectiveSampleSize: least,
    draws: wanted,
    seed,
    path: out ?? null,
    ...(out === undefined ? { text } : {}),
  });
}

interface Blank {
  readonly row: number;
  readonly index: number;
}

function blanksOf(model: TabularModel, known: BitMatrix): Blank[] {
  const blanks: Blank[] = [];
  for (let row = 0; row < known.rows; row++)
    for (let index = 0; index < model.variables; index++)
      if (known.get(row, model.offsets[index]!) === 0) blanks.push({ row, index });
  return blanks;
}

/** The column that numbers the draws: `draw`, with as many `_` before it as the file's own columns leave it no other name. */
function numberColumn(columns: readonly string[]): string {
  let name = 'draw';
  while (columns.includes(name)) name = `_${name}`;
  return name;
}

/** The file's own cells with the blanks filled; with several draws, each file's row as often, numbered. */
async function filledCsv(
  model: TabularModel,
  file: string,
  options: CompleteTableOptions,
  known: BitMatrix,
  filled: readonly (readonly (readonly (string | null)[])[])[],
): Promise<string> {
  const raw = await openTable(file, tableFileOptions(options));
  try {
    const places = raw.columns.map((name) => model.table.variables.findIndex((variable) => variable.name === name));
    const several = filled.length > 1;
    const lines = [[...(several ? [csvField(numberColumn(raw.columns))] : []), ...raw.columns.map(csvField)].join(',')];
    let first = 0;
    for await (const { rows, columns } of raw.batches()) {
      for (let row = 0; row < rows; row++) {
        filled.forEach((texts, draw) => {
          const cells = columns.map((cells, at) => {
            const index = places[at]!;
            const isBlank = index >= 0 && known.get(first + row, model.offsets[index]!) === 0;
            if (isBlank) return csvField(texts[index]![first + row] ?? '');
            const cell = cells.at(row);
            return isHole(cell) ? '' : csvField(labelOf(cell));
          });
          lines.push([...(several ? [String(draw + 1)] : []), ...cells].join(','));
        });
      }
      first += rows;
    }
    return `${lines.join('\n')}\n`;
  } finally {
    await raw.close();
  }
}

/** `row,column,value,probability`: what each blank may be, all values that training had, the more probable first. */
function exactProbabilitiesCsv(model: TabularModel, blanks: readonly Blank[], shares: readonly Float64Array[]): string {
  const lines = ['row,column,value,probability'];
  for (const { row, index } of blanks) {
    const variable = model.table.variables[index]!;
    const codes = codeCount(variable);
    const own = shares[index]!.subarray(row * codes, (row + 1) * codes);
    [...own.keys()]
      .filter((code) => code !== holeCode(variable) && code !== otherCode(variable))
      .sort((a, b) => own[b]! - own[a]! || a - b)
      .forEach((code) => {
        const words = [String(row + 1), csvField(variable.name), csvField(wordsOf(variable, code))];
        lines.push([...words, own[code]!.toPrecision(6)].join(','));
      });
  }
  return `${lines.join('\n')}\n`;
}

/** `row,column,value,probability`: what each blank may be, by how often it was drawn. */
function probabilitiesCsv(model: TabularModel, blanks: readonly Blank[], completions: readonly Completion[]): string {
  const lines = ['row,column,value,probability'];
  for (const { row, index } of blanks) {
    const variable = model.table.variables[index]!;
    const counts = new Uint32Array(codeCount(variable));
    for (const { matrix } of completions) counts[model.codeOf(matrix, row, index)]!++;
    [...counts.keys()]
      .filter((code) => counts[code]! > 0 && code !== holeCode(variable) && code !== otherCode(variable))
      .sort((a, b) => counts[b]! - counts[a]! || a - b)
      .forEach((code) => {
        const share = counts[code]! / completions.length;
        lines.push(
          [String(row + 1), csvField(variable.name), csvField(wordsOf(variable, code)), share.toFixed(3)].join(','),
        );
      });
  }
  return `${lines.join('\n')}\n`;
}
