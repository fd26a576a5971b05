import { parseContract } from '@orchard/contracts';
import { columnsIn } from '@orchard/dataset';
import {
  chooseEdges,
  ChowLiu,
  chowLiuForest,
  chowLiuOfCodes,
  ChowLiuTable,
  codeColumns,
  copiesOf,
  countPairs,
  PairGains,
  forestOf,
  SmoothedPairs,
} from '@orchard/forests';
import type { JsonValue } from '@orchard/model';
import {
  computationOfEnding,
  judgedModel,
  requireFewColumns,
  type End,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import { chowLiuSpecificationSchema, usual, type ChowLiuSpecification } from './chow-liu-run.js';

/** Counts of all pairs of more columns would take more than 256 MiB. */
export const MOST_COLUMNS = 8192;

/**
 * The tree of the training rows; of validation rows only the threshold is asked, and of a table whether they have
 * values that training had not.
 */
async function chowLiuOf(run: Run, splits: Splits, pause: () => Promise<void>): Promise<ChowLiu | ChowLiuTable> {
  const words = parseContract(chowLiuSpecificationSchema, run.specification, 'run specification');
  const specification = { runId: run.id, ...run.specification } as JsonValue;
  if (splits.train.columns.table === undefined) return ofBits(words, specification, splits);
  const { table, train, valid, options } = codesOf(words, splits);
  const treeBy = async (copies: number): Promise<ChowLiuTable> => {
    const gains = new PairGains(table, train, valid, { ...options, copies });
    for (const index of table.variables.keys()) {
      gains.look(index);
      await pause();
    }
    return ofTable(words, specification, splits, copies, gains);
  };
  const byRows = await treeBy(1);
  const copies = copiesOf(train);
  if (copies < LEAST_COPIES) return byRows;
  // a weight may count rows or say how much one row stands for: validation rows, whose copies train nothing, know
  const byRowsAndCopies = await treeBy(copies);
  return validOf(byRowsAndCopies) > validOf(byRows) ? byRowsAndCopies : byRows;
}

/** Fewer copies of a row do little. */
const LEAST_COPIES = 1.5;

function validOf({ likelihoods }: ChowLiuTable): number {
  return likelihoods.valid ?? -Infinity;
}

/** @throws PipelineError `bad-request` for too many columns */
function ofBits({ pseudoCount, forest }: ChowLiuSpecification, specification: JsonValue, splits: Splits): ChowLiu {
  const { train, valid } = splits;
  requireFewColumns(train.dimensions, MOST_COLUMNS);
  const pairs = new SmoothedPairs(countPairs(train), pseudoCount);
  const columns = Uint32Array.from({ length: train.dimensions }, (_, column) => column);
  let made = chowLiuForest(pairs, columns);
  if (forest) {
    const { parents } = chooseEdges(made, pairs, countPairs(valid));
    const information = made.information.map((nats, column) => (parents[column]! < 0 ? 0 : nats));
    made = { forest: forestOf(pairs, columns, parents), information };
  }
  const { dimensions, names, shape } = train;
  const head = { dimensions, names, shape, specification };
  return judgedModel((likelihoods) => new ChowLiu({ ...head, ...made, likelihoods }), splits);
}

type WordsOfTable = Pick<ChowLiuSpecification, 'pseudoCount' | 'lent'>;

/**
 * A pair of bits has four values, to each of which a pseudo-count is added: as many rows are added to any other pair.
 */
function codesOf({ pseudoCount, lent = 0 }: WordsOfTable, splits: Splits) {
  const { table } = splits.train.columns.codes;
  const [train, valid] = [codeColumns(splits.train, table), codeColumns(splits.valid, table)];
  return { table, train, valid, options: { added: 4 * pseudoCount, lent } };
}

function ofTable(
  words: WordsOfTable,
  specification: JsonValue,
  splits: Splits,
  copies = 1,
  gains?: PairGains,
): ChowLiuTable {
  const { table, train, valid, options } = codesOf(words, splits);
  const made = chowLiuOfCodes(table, train, valid, { ...options, copies }, gains);
  return judgedModel((likelihoods) => new ChowLiuTable({ table, specification, ...made, likelihoods }), splits);
}

/**
 * The tree of a table's rows, without a run and with nothing lent: for models of few rows, many of which are made and
 * none is kept.
 */
export function treeOfRows(splits: Splits): ChowLiuTable {
  return ofTable(usual, null, splits);
}

/** The tree, drawn: what only this family has to show. */
async function sectionsOf(model: ChowLiu | ChowLiuTable): Promise<readonly string[]> {
  // the drawing libraries take longer to load than the tree to make
  const { columnTreeSection } = await import('@orchard/report');
  const { parents, information, shape } = model;
  return [columnTreeSection({ parents, information, names: columnsIn(model).names, shape })];
}

export const kind = 'tree';

export const end: End = async (run, splits, _, pause) => {
  const model = await chowLiuOf(run, splits, pause);
  return { model, sections: () => sectionsOf(model) };
};

export const computations = { [kind]: computationOfEnding(end) };
