import { codeOffsets, ownLogRates, readCodes, type BitMatrix } from '@orchard/dataset';
import { NOISE_CHANCE, type TabularModel } from '@orchard/model';
import type { Explanation, JudgedBy } from '../documents/importance-document.js';
import { explainColumns } from '../models/explain-columns.js';
import type { LoadedNetwork } from '../models/load-network.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { heldOutRowsBeside } from '../run-folder/held-out-rows.js';
import { dimensionOf } from '../rows/name-of-dimension.js';
import { loadTableRows, type TableRowsOptions } from './load-table-rows.js';

export interface ExplainTableOptions extends TableRowsOptions {
  readonly dimension?: string;
  readonly top: number;
}

/** Were all variables independent, at most one model of so many would show one that gains beyond noise. */
const ONE_OF = Math.round(1 / NOISE_CHANCE);

/** Rows to decide by what is noise. */
interface HeldOutRows {
  readonly rows: BitMatrix;
  readonly split: JudgedBy['split'];
  /** Among how many models these rows chose the one. */
  readonly chosenOf: number;
}

/** What each variable of a table is predicted from, and whether that is beyond noise. */
export async function explainTable(
  loaded: LoadedNetwork,
  model: TabularModel,
  data: string | undefined,
  options: ExplainTableOptions,
  terminal: Terminal,
): Promise<Explanation> {
  const { variables } = model.table;
  const names = variables.map(({ name }) => name);
  const order = [...(model.ordering ?? variables.keys())];
  const { dimension } = options;
  const wanted = dimension === undefined ? order : [dimensionOf(dimension, '--dimension', variables.length, names)];
  const heldOut = await heldOutRows(loaded, model, data, options, terminal);
  const gains = heldOut === null ? null : gainsOf(model, heldOut.rows);
  const needed = Math.log(ONE_OF * variables.length * (heldOut?.chosenOf ?? 1));
  const sharesOf = (index: number): Float64Array => model.importanceOf(index);
  const explained = explainColumns({
    model,
    wanted,
    top: options.top,
    sharesOf,
    unseen: heldOut?.rows ?? null,
    split: heldOut?.split ?? null,
    gainOf: (index) => {
      if (gains === null) return null;
      const gain = gains[index]!;
      return { gain, beyondNoise: gain * heldOut!.rows.rows > needed };
    },
  });
  const judgedBy: JudgedBy | null =
    heldOut === null
      ? null
      : {
          split: heldOut.split,
          rows: heldOut.rows.rows,
          beforeRefit: false,
          rates: 'training rows',
          neededEvidence: needed,
          chance: NOISE_CHANCE,
        };
  return {
    names,
    ...explained,
    judgedBy,
    order: [...variables.keys()],
    sharesOf,
    irrelevant: [...model.irrelevantVariables()],
    judgement: judgementOf(heldOut, needed),
  };
}

/** The rows that are given; else the test rows of the run, or the validation rows where these trained no tree. */
async function heldOutRows(
  loaded: LoadedNetwork,
  model: TabularModel,
  data: string | undefined,
  options: ExplainTableOptions,
  terminal: Terminal,
): Promise<HeldOutRows | null> {
  if (data !== undefined) {
    const { matrix } = await loadTableRows(data, model, options, 'value', terminal);
    return { rows: matrix, split: 'data', chosenOf: 1 };
  }
  return heldOutRowsBeside(loaded.path, model);
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
