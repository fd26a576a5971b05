import type { RowScorer } from '@orchard/analysis';
import { codeOffsets, ownLogRates, readCodes, type BitMatrix } from '@orchard/dataset';
import { allCells, besideTrainingRows, NOISE_CHANCE, type CellsInTurn, type TabularModel } from '@orchard/model';
import type { JudgedBy } from '../documents/importance-document.js';
import type { LoadedNetwork } from '../models/load-network.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { heldOutRowsBeside } from '../run-folder/held-out-rows.js';
import { trainingRowsBeside } from '../run-folder/training-rows.js';
import { loadTableRows, type TableRowsOptions } from '../tables/load-table-rows.js';
import type { JudgedColumns } from './explain-model.js';

/** Were all columns independent, at most one model of so many would show one that gains beyond noise. */
const ONE_OF = Math.round(1 / NOISE_CHANCE);

/** Rows to decide by what is noise. */
interface HeldOutRows {
  readonly rows: BitMatrix;
  readonly split: JudgedBy['split'];
  /** Among how many models these rows chose the one. */
  readonly chosenOf: number;
}

/** Judges the columns of any model by what they gain over their own rates in the training rows, cell by cell. */
export async function judgedByCells(
  { path, network }: LoadedNetwork,
  { model, cells }: RowScorer,
  data: string | undefined,
  options: TableRowsOptions,
  terminal: Terminal,
): Promise<JudgedColumns> {
  const { variables } = model;
  const heldOut = await heldOutRows({ path, network }, model, data, options, terminal);
  const needed = Math.log(ONE_OF * variables * (heldOut?.chosenOf ?? 1));
  const ofModel = {
    irrelevant: [...model.irrelevantVariables()],
    sharesOf: (index: number) => model.importanceOf(index),
  };
  if (heldOut === null) return { ...ofModel, judgedBy: null, judgement: NOT_JUDGED, unseen: null, gainOf: () => null };
  const { rows, split } = heldOut;
  // the model of a table has its rates, null where those of bits are not there
  const training = model.ofBits && (await trainingRowsBeside(path));
  const gains = await gainsOf(besideTrainingRows(model.ofBits ?? model, training ?? rows), rows, cells);
  const judgedBy: JudgedBy = {
    split,
    rows: rows.rows,
    beforeRefit: false,
    rates: training === null ? 'the held-out rows' : 'training rows',
    neededEvidence: needed,
    chance: NOISE_CHANCE,
  };
  return {
    ...ofModel,
    judgedBy,
    judgement: judgementOf(judgedBy),
    unseen: rows,
    gainOf: (index) => ({ gain: gains[index]!, beyondNoise: gains[index]! * rows.rows > needed }),
  };
}

/** The rows that are given; else the test rows of the run, or the validation rows where these trained no tree. */
async function heldOutRows(
  { path, network }: Pick<LoadedNetwork, 'path' | 'network'>,
  model: TabularModel,
  data: string | undefined,
  options: TableRowsOptions,
  terminal: Terminal,
): Promise<HeldOutRows | null> {
  if (data !== undefined) {
    const { matrix } = await loadTableRows(data, model, options, 'value', terminal);
    return { rows: matrix, split: 'data', chosenOf: 1 };
  }
  return heldOutRowsBeside(path, network);
}

/** Mean over the rows of log P(code | earlier codes) over log of the code's own rate in the training rows. */
async function gainsOf(model: TabularModel, rows: BitMatrix, ask: CellsInTurn): Promise<Float64Array> {
  const cells = await allCells(ask, rows);
  const offsets = codeOffsets(model.table);
  return Float64Array.from(model.table.variables, (variable, index) => {
    const own = ownLogRates(variable);
    const codes = readCodes(rows, offsets[index]!, offsets[index + 1]!);
    const sum = codes.reduce((all, code, row) => all + cells[row * model.variables + index]! - own[code]!, 0);
    return sum / rows.rows;
  });
}

const NOT_JUDGED =
  'Not judged: there are no test rows here, and validation rows have had a part in the model. Trees split on noise too, so\n' +
  'shares of noise are among these. Give rows that it was not trained on: orchard importance NETWORK DATA';

function judgementOf({ rows, split, rates, neededEvidence }: JudgedBy): string {
  const which = split === 'data' ? 'of DATA' : `of the ${split} split`;
  const chose = split === 'validation' ? ' (they chose the number of trees, which is allowed for)' : '';
  const own = rates === 'training rows' ? 'the training rows' : 'these very rows';
  return (
    `Gains are nats per row on ${counted(rows, 'row')} ${which}${chose}, over each column's own rates in ${own}. Beyond noise: by ${neededEvidence.toFixed(1)} nats in all rows\n` +
    `together, which even one of as many independent columns would reach in at most one of ${String(ONE_OF)} models.`
  );
}
