import { availableParallelism } from 'node:os';
import { RowScorer } from '@orchard/analysis';
import { isExplained, asTabular, judgePredictors, VALIDATION_CHOICES, type TabularModel } from '@orchard/model';
import { columnsIn, type BitMatrix } from '@orchard/dataset';
import type { ExplainedColumn, Explanation, JudgedBy } from './importance-document.js';
import { UsageError } from '../../output/errors.js';
import type { LoadedNetwork } from '../../rows/load-network.js';
import { StageDisplay } from '../../output/stage-display.js';
import type { Terminal } from '../../output/terminal.js';
import { dimensionOf } from '../../options/name-of-dimension.js';
import type { WeightOptions } from '../../options/row-weights.js';
import type { TableRowsOptions } from '../../rows/load-table-rows.js';
import type { ImportanceOptions } from './importance.js';
import { explainedTrees } from './explained-trees.js';
import { judgedByCells } from './judged-by-cells.js';
import { judgedByTrees } from './judged-by-trees.js';
import { isMarked, strongestOf } from './predictors-in-words.js';

/** How held-out rows are read. */
export type RowsToJudgeOptions = TableRowsOptions & WeightOptions;

/** What held-out rows say of the columns of a model, before their predictors are tested. */
export interface JudgedColumns {
  readonly judgedBy: JudgedBy | null;
  /** How it was judged, for people. */
  readonly judgement: string;
  /** Rows that the model has not seen; null where there are none. */
  readonly unseen: BitMatrix | null;
  /** Columns that nothing is predicted from. */
  readonly irrelevant: readonly number[];
  /** Of a column; null where there is nothing to judge by. */
  gainOf(index: number): Pick<ExplainedColumn, 'gain' | 'beyondNoise'> | null;
  /** The shares of all columns in one of them. */
  sharesOf(index: number): Float64Array;
}

/**
 * What each column of a model is predicted from, and whether that is beyond noise: the strongest predictors of each
 * column that is, tested against noise too. Trees of rows of 0 and 1 are judged by all that their run knows of them.
 *
 * @throws UsageError for a model whose columns are not predicted from others
 */
export async function explainModel(
  loaded: LoadedNetwork,
  data: string | undefined,
  options: ImportanceOptions,
  terminal: Terminal,
): Promise<Explanation> {
  const model = requireExplained(loaded);
  const { names } = columnsIn(loaded.network);
  const { dimension, top } = options;
  const all = [...(model.ordering ?? model.table.variables.keys())];
  const wanted = dimension === undefined ? all : [dimensionOf(dimension, '--dimension', model.variables, names)];
  const trees = explainedTrees(loaded.network);
  if (options.rowWeights !== undefined) refuseWeights(model, data);
  const { threads = availableParallelism() } = options;
  const scorer = new RowScorer(model, { bytes: loaded.bytes, threads });
  try {
    const judged =
      trees === null
        ? await judgedByCells(loaded, scorer, data, options, terminal)
        : await judgedByTrees(trees, loaded.path, data, options, terminal);
    const { judgedBy, judgement, irrelevant, sharesOf } = judged;
    return {
      names,
      ...(await explainColumns(scorer, wanted, top, judged, terminal)),
      judgedBy,
      judgement,
      irrelevant,
      order: all,
      sharesOf,
    };
  } finally {
    await scorer.close();
  }
}

/** @throws UsageError for weights without rows that they weigh, or of rows of 0 and 1 */
function refuseWeights(model: TabularModel, data: string | undefined): void {
  if (data !== undefined && model.ofBits === undefined) return;
  throw new UsageError({
    got: data === undefined ? '--row-weights without DATA' : '--row-weights for a model of rows of 0 and 1',
    expected: data === undefined ? 'rows that they weigh' : 'the model of a table',
    where: '--row-weights',
    remedy:
      data === undefined
        ? 'Give the file that has the column, or leave the option out: rows that the run kept stand as often as they weigh.'
        : 'Leave it out, or train with --model tables.',
  });
}

function requireExplained({ network, path }: LoadedNetwork): TabularModel {
  if (isExplained(network)) return asTabular(network);
  throw new UsageError({
    got: `${path}, a model of the family ${network.family}`,
    expected: 'a model whose columns are predicted from others in one way',
    where: 'NETWORK',
    remedy: 'orchard associations shows what depends on what, whatever the model.',
  });
}

async function explainColumns(
  { model, cells }: RowScorer,
  wanted: readonly number[],
  top: number,
  { judgedBy, unseen, gainOf, sharesOf }: JudgedColumns,
  terminal: Terminal,
): Promise<Pick<Explanation, 'columns' | 'predictorsJudged'>> {
  const gains = wanted.map((index) => gainOf(index));
  const strongest = wanted.map((index, at) => {
    if (gains[at]?.beyondNoise === false) return { first: [], inAll: 0 };
    const shares = sharesOf(index);
    return { first: strongestOf(shares, top), inAll: shares.reduce((all, share) => all + (share > 0 ? 1 : 0), 0) };
  });
  const pairs = wanted.flatMap((column, at) => strongest[at]!.first.map((one) => ({ column, predictor: one.column })));
  const chosenOf = judgedBy?.split === 'validation' ? VALIDATION_CHOICES : 1;
  const display = new StageDisplay(terminal);
  const onProgress = (share: number): void => display.show('testing predictors', share);
  const how = { chosenOf, cells, onProgress };
  const predictorsJudged = unseen === null ? null : await judgePredictors(model, unseen, pairs, how);
  let pair = 0;
  const columns = wanted.map((index, at): ExplainedColumn => ({
    index,
    gain: gains[at]?.gain ?? null,
    beyondNoise: gains[at]?.beyondNoise ?? null,
    predictors: strongest[at]!.first.map(({ column, share }) => ({
      index: column,
      share,
      beyondNoise: isMarked(predictorsJudged, pair++),
    })),
    predictorsInAll: strongest[at]!.inAll,
  }));
  return { columns, predictorsJudged };
}
