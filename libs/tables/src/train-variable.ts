import { refitConditional, trainConditional, type BoostingOptions, type TrainedConditional } from '@orchard/boosting';
import type { Table } from '@orchard/contracts';
import { codeCount, codeOffsets, decisionTreeOf, predictorOffsets, readCodes } from '@orchard/dataset';
import type { Decision, Kernel, TrainingData } from '@orchard/kernel';
import { prefixOfTrees, type Ensemble } from '@orchard/model';
import { chooseRounds } from './choose-rounds.js';
import { outcomesByCode } from './conditional.js';

/** A variable to train on arranged rows: its place in the ordering, and all that the rows' bits mean. */
export interface VariableTask {
  readonly table: Table;
  readonly ordering: ArrayLike<number>;
  readonly position: number;
  readonly options: BoostingOptions;
}

/** The decisions of a variable, of which the last may be missing: a checkpoint. */
export interface TrainedDecisions {
  readonly decisions: readonly TrainedConditional[];
}

/** A variable's conditional, chosen and refitted. Sums of nats over the rows of a split; null where there is none. */
export interface TrainedVariable {
  readonly ensembles: readonly Ensemble[];
  /** Before the refit, which validation rows have a part in. */
  readonly train: number;
  readonly valid: number;
  /** After it. */
  readonly test: number | null;
}

export interface VariableHooks {
  readonly isCancelled: () => boolean;
  /** Told of decisions done and rounds of the present one, and the summed validation nats so far. */
  readonly onProgress?: (done: { readonly share: number; readonly trees: number; readonly nats: number }) => void;
  /** Told after every decision; what it returns true for is kept as a checkpoint. */
  readonly onDecision?: (decisions: readonly TrainedConditional[]) => void;
}

/**
 * Trains all decisions of one variable (tables.md): each by LogitBoost on the rows that reach it, then as many rounds of each as
 * validation rows favour, refitted on training and validation rows together (lbarn.md, "Refit").
 *
 * @param before decisions that a checkpoint holds
 * @returns null where it was cancelled: what was trained is with `onDecision`
 */
export function trainVariable(
  kernel: Kernel,
  data: TrainingData,
  task: VariableTask,
  before: readonly TrainedConditional[],
  { isCancelled, onProgress, onDecision }: VariableHooks,
): TrainedVariable | null {
  const { options } = task;
  const targets = decisionsOf(data, task);
  const trained = [...before];
  let nats = trained.reduce((sum, { curves }) => sum + best(curves.valid!), 0);
  let trees = 0;
  const rowsOf = targets.map(({ labels }) => labels.reduce((sum, label) => sum + (label < 2 ? 1 : 0), 0));
  const allRows = Math.max(
    1,
    rowsOf.reduce((sum, rows) => sum + rows, 0),
  );
  let doneRows = rowsOf.slice(0, trained.length).reduce((sum, rows) => sum + rows, 0);
  for (let index = trained.length; index < targets.length; index++) {
    const { labels, predictors } = targets[index]!;
    const result = trainConditional(kernel, data, { labels, predictors }, options, {
      cancelled: isCancelled,
      onProgress: (rounds) => {
        onProgress?.({
          share: (doneRows + (rowsOf[index]! * rounds) / options.rounds) / allRows,
          trees: trees + rounds,
          nats,
        });
      },
    });
    if (!result.finished) return null;
    trained.push(result);
    trees += result.ensemble.leafCounts.length;
    doneRows += rowsOf[index]!;
    nats += best(result.curves.valid!);
    onProgress?.({ share: doneRows / allRows, trees, nats });
    onDecision?.(trained);
  }
  const tree = decisionTreeOf(task.table.variables[task.ordering[task.position]!]!);
  const rounds = chooseRounds(
    tree,
    trained.map(({ curves }) => curves.valid!),
  );
  const pooled = data.pooled();
  const refitted = trained.map(({ ensemble }, index) =>
    refitConditional(kernel, pooled, targets[index]!, prefixOfTrees(ensemble, rounds[index]!), options),
  );
  const sum = (split: 'train' | 'valid'): number =>
    trained.reduce((all, { curves }, index) => all + curves[split]![rounds[index]!]!, 0);
  const test = refitted.every(({ curves }) => curves.test !== null)
    ? refitted.reduce((all, { curves }) => all + curves.test!.at(-1)!, 0)
    : null;
  return {
    ensembles: refitted.map(({ ensemble }) => ensemble),
    train: sum('train'),
    valid: sum('valid'),
    test: data.testRows === 0 ? null : test,
  };
}

/** The decisions of the task's variable on the rows of `data`, whose columns end in the codes of all variables. */
function decisionsOf(data: TrainingData, { table, ordering, position }: VariableTask): readonly Decision[] {
  const ordered = Array.from(ordering, (index) => table.variables[index]!);
  const predictors = predictorOffsets({ variables: ordered });
  const offsets = codeOffsets(table);
  const firstCode = predictors[ordered.length]!;
  const index = ordering[position]!;
  const rows = { rows: data.rowCount, stride: data.handle.stride, bytes: data.rows };
  const codes = readCodes(rows, firstCode + offsets[index]!, firstCode + offsets[index + 1]!);
  const variable = table.variables[index]!;
  return outcomesByCode(decisionTreeOf(variable), codeCount(variable)).map((outcomes) => ({
    predictors: predictors[position]!,
    labels: Uint8Array.from(codes, (code) => outcomes[code]!),
  }));
}

function best(curve: Float64Array): number {
  return curve.reduce((most, point) => Math.max(most, point), -Infinity);
}
