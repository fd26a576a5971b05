import type { RowScorer } from '@orchard/analysis';
import { codeOffsets, ownLogRates, readCodes, type BitMatrix } from '@orchard/dataset';
import {
  allCells,
  besideTrainingRows,
  NOISE_CHANCE,
  type CellsInTurn,
  type RowWeights,
  type TabularModel,
} from '@orchard/model';
import type { JudgedBy } from './importance-document.js';
import type { LoadedNetwork } from '../../rows/load-network.js';
import { counted } from '../../output/figures.js';
import type { Terminal } from '../../output/terminal.js';
import { heldOutRowsBeside } from '../../run-folder/store-beside.js';
import { TrainingRowsFinder, trainingRowsBeside } from '../../run-folder/training-rows.js';
import { weighedBy } from '../../options/row-weights.js';
import { loadWeighedRows } from '../../rows/load-table-rows.js';
import type { JudgedColumns, RowsToJudgeOptions } from './explain-model.js';

/** Were all columns independent, at most one model of so many would show one that gains beyond noise. */
const ONE_OF = Math.round(1 / NOISE_CHANCE);

/** Rows to decide by what is noise. */
interface HeldOutRows {
  readonly rows: BitMatrix;
  readonly split: JudgedBy['split'];
  /** Among how many models these rows chose the one. */
  readonly chosenOf: number;
  /** How much each counts; null where each does once. */
  readonly weights: RowWeights | null;
}

/** Judges the columns of any model by what they gain over their own rates in the training rows, cell by cell. */
export async function judgedByCells(
  { path, network }: LoadedNetwork,
  { model, cells }: RowScorer,
  data: string | undefined,
  options: RowsToJudgeOptions,
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
  const { rows, split, weights } = heldOut;
  // rows of whole weights are as many rows; others stand once where it is asked what chance would do
  const unseen = weights?.areCounts === true ? repeated(rows, weights) : rows;
  // the model of a table has its rates, null where those of bits are not there
  const training = model.ofBits && (await trainingRowsBeside(path));
  const gains = await gainsOf(besideTrainingRows(model.ofBits ?? model, training ?? rows), rows, weights, cells);
  const judgedBy: JudgedBy = {
    split,
    rows: rows.rows,
    sumOfWeights: weights?.sum ?? null,
    beforeRefit: false,
    rates: training === null ? 'the held-out rows' : 'training rows',
    neededEvidence: needed,
    chance: NOISE_CHANCE,
  };
  return {
    ...ofModel,
    judgedBy,
    judgement: judgementOf(judgedBy, options.rowWeights),
    unseen,
    gainOf: (index) => {
      const { mean, evidence } = gains[index]!;
      return { gain: mean, beyondNoise: evidence > needed };
    },
  };
}

/** Each row as often as it counts. */
function repeated(rows: BitMatrix, { weights }: RowWeights): BitMatrix {
  const places: number[] = [];
  weights.forEach((weight, row) => {
    for (let left = weight; left > 0; left--) places.push(row);
  });
  return rows.selectRows(places);
}

/** The rows that are given; else the test rows of the run, or the validation rows where these trained no tree. */
async function heldOutRows(
  { path, network }: Pick<LoadedNetwork, 'path' | 'network'>,
  model: TabularModel,
  data: string | undefined,
  options: RowsToJudgeOptions,
  terminal: Terminal,
): Promise<HeldOutRows | null> {
  if (data !== undefined) {
    const { matrix, weights } = await loadWeighedRows(data, model, options, terminal);
    const finder = await TrainingRowsFinder.beside(path);
    await finder?.see(matrix);
    if (finder?.hasMetAll === true)
      terminal.note(
        'orchard: the model learned from these rows: gains are too high, and what is noise may look as if it helped. Give other rows.',
      );
    return { rows: matrix, split: 'data', chosenOf: 1, weights };
  }
  const kept = await heldOutRowsBeside(path, network);
  return kept === null ? null : { ...kept, weights: null };
}

/** What a column gains in held-out rows, nats: per row, by weight, and in all together, by which noise is judged. */
interface GainOfColumn {
  readonly mean: number;
  readonly evidence: number;
}

/** By log P(code | earlier codes) over log of the code's own rate in the training rows. */
async function gainsOf(
  model: TabularModel,
  rows: BitMatrix,
  weights: RowWeights | null,
  ask: CellsInTurn,
): Promise<readonly GainOfColumn[]> {
  const cells = await allCells(ask, rows);
  const offsets = codeOffsets(model.table);
  return model.table.variables.map((variable, index) => {
    const own = ownLogRates(variable);
    const codes = readCodes(rows, offsets[index]!, offsets[index + 1]!);
    let [sum, weighed] = [0, 0];
    codes.forEach((code, row) => {
      const cell = cells[row * model.variables + index]!;
      sum = sum + cell - own[code]!;
      if (weights !== null) weighed = weights.add(weighed, cell - own[code]!, row);
    });
    if (weights === null) return { mean: sum / rows.rows, evidence: sum };
    return { mean: weighed / weights.sum, evidence: weights.areCounts ? weighed : sum };
  });
}

const NOT_JUDGED =
  'Not judged: there are no test rows here, and validation rows have had a part in the model. Trees split on noise too, so\n' +
  'shares of noise are among these. Give rows that it was not trained on: orchard importance NETWORK DATA';

/** @param weighing the column of the weights */
function judgementOf({ rows, sumOfWeights, split, rates, neededEvidence }: JudgedBy, weighing?: string): string {
  const which = split === 'data' ? 'of DATA' : `of the ${split} split`;
  const chose = split === 'validation' ? ' (they chose the number of trees, which is allowed for)' : '';
  const own = rates === 'training rows' ? 'the training rows' : 'these very rows';
  return (
    `Gains are nats per row on ${counted(rows, 'row')} ${which}${weighedBy(weighing, sumOfWeights)}${chose}, over each column's own rates in ${own}. Beyond noise: by ${neededEvidence.toFixed(1)} nats in all rows\n` +
    `together, which even one of as many independent columns would reach in at most one of ${String(ONE_OF)} models.`
  );
}
