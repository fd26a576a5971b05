import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOffsets, didYouMean, ownLogRates, readCodes, type BitMatrix } from '@orchard/dataset';
import { loadDataset } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import type { TabularModel } from '@orchard/model';
import { UsageError } from '../errors.js';
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
const ONE_OF = 20;

interface ExplainedVariable {
  readonly variable: string;
  /** Mean nats per row over the variable's own rates, on held-out rows; null where there are none to judge by. */
  readonly gain: number | null;
  readonly beyondNoise: boolean | null;
  readonly predictors: readonly { readonly variable: string; readonly share: number }[];
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
  const rows =
    data === undefined
      ? await storedTestRows(loaded, model)
      : (await loadTableRows(data, model, options, 'value', terminal)).matrix;
  const gains = rows === null ? null : gainsOf(model, rows);
  const needed = Math.log(ONE_OF * variables.length);
  const wanted =
    options.dimension === undefined ? [...(model.ordering ?? variables.keys())] : [indexOf(options.dimension, names)];
  const explained = wanted.map((index): ExplainedVariable => {
    const beyondNoise = gains === null || rows === null ? null : gains[index]! * rows.rows > needed;
    const shares = Array.from(model.importanceOf(index), (share, at) => ({ variable: names[at]!, share }));
    const predictors = shares.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
    return {
      variable: names[index]!,
      gain: gains?.[index] ?? null,
      beyondNoise,
      predictors: beyondNoise === false ? [] : predictors.slice(0, options.top),
    };
  });
  const ranked = explained.toSorted((a, b) => (b.gain ?? 0) - (a.gain ?? 0));
  const most = options.show ?? (terminal.showsResults ? 20 : Infinity);
  const width = Math.max(...ranked.map(({ variable }) => harmlessLine(variable).length));
  for (const { variable: name, gain, beyondNoise, predictors } of ranked.slice(0, most)) {
    const variable = harmlessLine(name);
    const told =
      beyondNoise === false
        ? 'no better than noise'
        : predictors.map((one) => `${harmlessLine(one.variable)} ${(100 * one.share).toFixed(1)} %`).join(', ') || '-';
    const line = [variable.padEnd(width), ...(gain === null ? [] : [gain.toFixed(4).padStart(8)]), told].join('  ');
    if (beyondNoise === false) terminal.faint(line);
    else terminal.result(line);
  }
  if (ranked.length > most)
    terminal.result(
      `… and ${counted(ranked.length - most, 'more variable')}: --show ${String(ranked.length)} lists all`,
    );
  terminal.result('');
  terminal.result(judgementOf(rows, data, needed));
  if (options.out !== undefined) {
    const rowOf = (index: number): Float64Array => model.importanceOf(index);
    await writeOutput(options.out, '--out', await encodeMatrix(options.out, 'variable', names, rowOf));
    terminal.note(`orchard: all shares in ${options.out}`);
  }
  terminal.document({
    variables: explained,
    path: options.out ?? null,
    rows: rows?.rows ?? null,
    neededEvidence: needed,
  });
}

/** The test rows of the run, where its store lies beside the model. */
async function storedTestRows({ path }: LoadedNetwork, model: TabularModel): Promise<BitMatrix | null> {
  const store = join(dirname(path), 'store');
  const { test } = (model.specification ?? {}) as { readonly test?: string | null };
  if (test === undefined || test === null || !existsSync(store)) return null;
  return loadDataset(await FilesystemStore.open(store), test);
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

function judgementOf(rows: BitMatrix | null, data: string | undefined, needed: number): string {
  if (rows === null)
    return (
      'Not judged: there are no test rows here, and validation rows have had a part in the model. Trees split on noise too, so\n' +
      'shares of noise are among these. Give rows that it was not trained on: orchard importance NETWORK DATA'
    );
  return (
    `Gains are nats per row on ${counted(rows.rows, 'row')} ${data === undefined ? 'of the test split' : 'of DATA'}, over each variable's own rates in the training rows. Beyond noise: by ${needed.toFixed(1)} nats in all rows\n` +
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
    remedy: didYouMean(name, names) ?? 'Correct the name.',
  });
}
