import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOffsets, correctColumn, ownLogRates, readCodes, type BitMatrix } from '@orchard/dataset';
import { loadDataset } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { judgePredictors, NOISE_CHANCE, type TabularModel } from '@orchard/model';
import { UsageError } from '../errors.js';
import { isMarked, predictorsInWords, shareInWords, strongestOf } from '../models/predictors-in-words.js';
import type { LoadedNetwork } from '../models/load-network.js';
import { counted } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { encodeMatrix } from '../output/table-file.js';
import { writeOutput } from '../output/write-output.js';
import { loadTableRows, type TableRowsOptions } from './load-table-rows.js';

export interface ImportanceTableOptions extends TableRowsOptions {
  readonly dimension?: string;
  readonly top: number;
  readonly show?: number;
  readonly out?: string;
}

/** Were all variables independent, at most one model of so many would show one that gains beyond noise. */
const ONE_OF = Math.round(1 / NOISE_CHANCE);
/** Models among which validation rows may have chosen: numbers of trees times sizes of trees, or penalties. */
const CHOICES = 10_000;

/** Rows to decide by what is noise. */
interface HeldOutRows {
  readonly rows: BitMatrix;
  readonly split: 'data' | 'test' | 'validation';
  /** Among how many models these rows chose the one. */
  readonly chosenOf: number;
}

interface Predictor {
  readonly variable: string;
  readonly share: number;
  /** Whether it helps on held-out rows beyond what a column of noise would; null where that was not tested. */
  readonly beyondNoise: boolean | null;
}

interface ExplainedVariable {
  readonly variable: string;
  /** Mean nats per row over the variable's own rates, on held-out rows; null where there are none to judge by. */
  readonly gain: number | null;
  readonly beyondNoise: boolean | null;
  readonly predictors: readonly Predictor[];
}

/** Says what each variable of a table is predicted from, and whether that is beyond noise. */
export async function importanceOfTable(
  loaded: LoadedNetwork,
  model: TabularModel,
  data: string | undefined,
  options: ImportanceTableOptions,
  terminal: Terminal,
): Promise<void> {
  const { variables } = model.table;
  const names = variables.map(({ name }) => name);
  const heldOut = await heldOutRows(loaded, model, data, options, terminal);
  const gains = heldOut === null ? null : gainsOf(model, heldOut.rows);
  const needed = Math.log(ONE_OF * variables.length * (heldOut?.chosenOf ?? 1));
  const wanted =
    options.dimension === undefined ? [...(model.ordering ?? variables.keys())] : [indexOf(options.dimension, names)];
  const isBeyond = wanted.map((index) => (gains === null ? null : gains[index]! * heldOut!.rows.rows > needed));
  const strongest = wanted.map((index, at) =>
    isBeyond[at] === false ? [] : strongestOf(model.importanceOf(index), options.top),
  );
  const pairs = wanted.flatMap((column, at) => strongest[at]!.map(({ column: predictor }) => ({ column, predictor })));
  const judged = heldOut === null ? null : judgePredictors(model, heldOut.rows, pairs, heldOut.chosenOf);
  let pair = 0;
  const explained = wanted.map((index, at): ExplainedVariable => ({
    variable: names[index]!,
    gain: gains?.[index] ?? null,
    beyondNoise: isBeyond[at]!,
    predictors: strongest[at]!.map(({ column, share }) => ({
      variable: names[column]!,
      share,
      beyondNoise: isMarked(judged, pair++),
    })),
  }));
  const ranked = explained.toSorted((a, b) => (b.gain ?? 0) - (a.gain ?? 0));
  const most = options.show ?? (terminal.showsResults ? 20 : Infinity);
  const width = Math.max(...ranked.map(({ variable }) => harmlessLine(variable).length));
  for (const { variable: name, gain, beyondNoise, predictors } of ranked.slice(0, most)) {
    const variable = harmlessLine(name);
    const shares = predictors.map((one) => shareInWords(harmlessLine(one.variable), one)).join(', ') || '-';
    const line = [
      variable.padEnd(width),
      ...(gain === null ? [] : [gain.toFixed(4).padStart(8)]),
      beyondNoise === false ? 'no better than noise' : shares,
    ].join('  ');
    if (beyondNoise === false) terminal.faint(line);
    else terminal.result(line);
  }
  if (ranked.length > most)
    terminal.result(
      `… and ${counted(ranked.length - most, 'more variable')}: --show ${String(ranked.length)} lists all`,
    );
  terminal.result('');
  terminal.result(judgementOf(heldOut, needed));
  terminal.result(predictorsInWords(judged));
  if (options.out !== undefined) {
    const rowOf = (index: number): Float64Array => model.importanceOf(index);
    await writeOutput(options.out, '--out', await encodeMatrix(options.out, 'variable', names, rowOf));
    terminal.note(`orchard: all shares in ${options.out}`);
  }
  terminal.document({
    variables: explained,
    path: options.out ?? null,
    rows: heldOut?.rows.rows ?? null,
    split: heldOut?.split ?? null,
    neededEvidence: needed,
    predictorsJudged: judged === null ? null : { rows: judged.rows, neededEvidence: judged.needed },
  });
}

/** The rows that are given; else the test rows of the run, or the validation rows where these trained no tree. */
async function heldOutRows(
  loaded: LoadedNetwork,
  model: TabularModel,
  data: string | undefined,
  options: ImportanceTableOptions,
  terminal: Terminal,
): Promise<HeldOutRows | null> {
  if (data !== undefined) {
    const { matrix } = await loadTableRows(data, model, options, 'value', terminal);
    return { rows: matrix, split: 'data', chosenOf: 1 };
  }
  const store = join(dirname(loaded.path), 'store');
  if (!existsSync(store)) return null;
  const { test, valid, members } = (model.specification ?? {}) as {
    readonly test?: string | null;
    readonly valid?: string | null;
    readonly members?: unknown;
  };
  if (typeof test === 'string')
    return { rows: await loadDataset(await FilesystemStore.open(store), test), split: 'test', chosenOf: 1 };
  // members are validated by rows that have trained others
  if (typeof valid !== 'string' || members !== undefined) return null;
  return { rows: await loadDataset(await FilesystemStore.open(store), valid), split: 'validation', chosenOf: CHOICES };
}

/** Mean over the rows of log P(code | earlier codes) over log of the code's own rate in the training rows. */
function gainsOf(model: TabularModel, rows: BitMatrix): Float64Array {
  const cells = model.cellLogLikelihoods(rows);
  const offsets = codeOffsets(model.table);
  return Float64Array.from(model.table.variables, (variable, index) => {
    const own = ownLogRates(variable);
    const codes = readCodes(rows, offsets[index]!, offsets[index + 1]!);
    const sum = codes.reduce((all, code, row) => all + cells[row * model.variables + index]! - own[code]!, 0);
    return sum / rows.rows;
  });
}

function judgementOf(heldOut: HeldOutRows | null, needed: number): string {
  if (heldOut === null)
    return (
      'Not judged: there are no test rows here, and validation rows have had a part in the model. Trees split on noise too, so\n' +
      'shares of noise are among these. Give rows that it was not trained on: orchard importance NETWORK DATA'
    );
  const { rows, split } = heldOut;
  const which = split === 'data' ? 'of DATA' : `of the ${split} split`;
  const chose = split === 'validation' ? ' (they chose the number of trees, which is allowed for)' : '';
  return (
    `Gains are nats per row on ${counted(rows.rows, 'row')} ${which}${chose}, over each variable's own rates in the training rows. Beyond noise: by ${needed.toFixed(1)} nats in all rows\n` +
    `together, which even one of as many independent variables would reach in at most one of ${String(ONE_OF)} models.`
  );
}

function indexOf(name: string, names: readonly string[]): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const number = /^\d{1,6}$/.test(name) ? Number(name) : 0;
  if (number >= 1 && number <= names.length) return number - 1;
  throw new UsageError({
    got: JSON.stringify(name),
    expected: `a variable, by name or by number from 1 to ${String(names.length)}`,
    where: '--dimension',
    remedy: correctColumn(name, names),
  });
}
