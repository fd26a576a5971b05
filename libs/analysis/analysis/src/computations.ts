import { asTabular, measureTarget, wantedCells, type MeasuredRows, type TargetAsked } from '@orchard/model';
import type { ComputationContext } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { completionsOf, type CompletionsAsked } from './fills/completions-of.js';
import { postedCompletions, receivedRows, type PostedCompletions, type PostedRows } from './fills/posted-rows.js';
import type { ModelHandle } from './model-threads.js';
import { smallModelMade, type PostedSmall, type SmallMade } from './outliers/small-models.js';
import { ruledBy } from './rules/rules-of-model.js';
import {
  receivedCells,
  receivedPiece,
  receivedTarget,
  type PieceAsked,
  type PieceScores,
  type PostedCells,
  type PostedPiece,
  type PostedTarget,
} from './scores/posted-scores.js';
import { scorePiece } from './scores/score-piece.js';

/** What threads compute of the rows that they are posted, by the model that they have opened. */
export const computations = {
  complete(
    { rows, asked }: { readonly rows: PostedRows; readonly asked: CompletionsAsked },
    context: ComputationContext,
  ): PostedCompletions {
    const { model, ruled } = context.data(open);
    return postedCompletions(completionsOf(model, ruled, receivedRows(rows, model), asked));
  },
  /** What the model says of the cells of rows. */
  cells(asked: PostedCells, context: ComputationContext): Float64Array {
    const { model } = context.data(open);
    return wantedCells(model, receivedCells(asked, model));
  },
  /** A model of few rows, and its scores of many. It needs no model to be open. */
  smallModel: (rows: PostedSmall): SmallMade => smallModelMade(rows),
  /** How likely the rows of a piece are. */
  score(
    { piece, asked }: { readonly piece: PostedPiece; readonly asked: PieceAsked },
    context: ComputationContext,
  ): PieceScores {
    const { model } = context.data(open);
    return scorePiece(model, receivedPiece(piece, model), asked);
  },
  /** How well a column of the rows of a piece is predicted. */
  target(
    { rows, asked }: { readonly rows: PostedTarget; readonly asked: TargetAsked },
    context: ComputationContext,
  ): MeasuredRows {
    const { model } = context.data(open);
    return measureTarget(model, receivedTarget(rows, model), asked);
  },
};

function open(handle: unknown) {
  const { bytes, rules } = handle as ModelHandle;
  const model = asTabular(families.openModel(bytes));
  return { model, ruled: rules === null ? null : ruledBy(model, rules, null).ruled };
}
