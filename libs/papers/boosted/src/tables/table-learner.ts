import { codeCount, type CountedSplits } from '@orchard/dataset';
import {
  chowLiuOfCodes,
  ChowLiuTable,
  codeColumns,
  CodeForest,
  CodeNetwork,
  CodeNetworkLearner,
  codeTreeOf,
  GroupedRows,
  type LearntCodeForest,
  type LearntCodeNetwork,
} from '@orchard/forests';
import type { ModelHead } from '@orchard/model';
import type { BoostedSpecification } from '../boosted-run.js';
import type { WeakLearner } from '../weak-learner.js';
import { BayesianNetworkTable } from './bayesian-network-table.js';

/** As `chow-liu` learns a table where nothing else is said. */
const AS_CHOW_LIU = { added: 4, lent: 'auto' } as const;

/** Trees or networks over the groups of a table's codes. */
export function tableLearner(
  { train, valid }: CountedSplits,
  options: BoostedSpecification,
  table: NonNullable<ModelHead['table']>,
): WeakLearner {
  const { counts } = train;
  const [columns, others] = [codeColumns(train.distinct, table), codeColumns(valid.distinct, table)];
  const all = chowLiuOfCodes(
    table,
    columns.map((codes) => repeated(codes, counts, train.rows)),
    others,
    AS_CHOW_LIU,
  );
  const rows = new GroupedRows({ table, columns, counts, valid: others }, all.forest);
  const alone = table.variables.map((variable) => {
    const codes = codeCount(variable);
    return {
      groupOf: new Uint16Array(codes),
      within: new Float64Array(codes).fill(1 / codes),
      given: Float64Array.of(1),
    };
  });
  const { parents, edges, pseudoCount } = options;
  if (options.weak !== 'network') {
    const modelOf = ({ specification, likelihoods }: Head, learnt: LearntCodeForest): ChowLiuTable =>
      new ChowLiuTable({ specification, likelihoods, table, ...learnt });
    return {
      first: (head) => modelOf(head, all),
      fit: (weights, head) => modelOf(head, codeTreeOf(rows, weights, pseudoCount)),
      uniform: (head) =>
        modelOf(head, {
          forest: new CodeForest(alone.map((own) => ({ ...own, parent: -1 }))),
          information: new Float64Array(alone.length),
        }),
    };
  }
  if (parents === undefined || edges === undefined) throw new Error('a run of networks says their parents and edges');
  const learner = new CodeNetworkLearner(rows, { parents, edges, pseudoCount });
  const modelOf = ({ specification, likelihoods }: Head, learnt: LearntCodeNetwork): BayesianNetworkTable =>
    new BayesianNetworkTable({ specification, likelihoods, table }, learnt);
  return {
    first: (head) => modelOf(head, learner.learn(counts)),
    fit: (weights, head) => modelOf(head, learner.learn(weights)),
    uniform: (head) =>
      modelOf(head, {
        network: new CodeNetwork(alone.map((own) => ({ ...own, parents: new Uint32Array() }))),
        information: new Float64Array(),
      }),
  };
}

type Head = Parameters<WeakLearner['first']>[0];

/** The code of every row, from those that differ. */
function repeated(codes: Uint16Array, counts: Float64Array, rows: number): Uint16Array {
  const all = new Uint16Array(rows);
  let at = 0;
  codes.forEach((code, row) => {
    all.fill(code, at, at + counts[row]!);
    at += counts[row]!;
  });
  return all;
}
