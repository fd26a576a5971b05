import { scoreTable, surprisesFor, type ScoredRows, type TabularModel } from '@orchard/model';
import type { PieceAsked, PieceScores } from './posted-scores.js';

/** How likely the rows of a piece are, and how surprising their cells. A row does not depend on those beside it. */
export function scorePiece(
  model: TabularModel,
  rows: ScoredRows,
  { given, missing, withAnomalies, ...how }: PieceAsked,
): PieceScores {
  const { ofCodes, ...scores } = scoreTable(model, rows, { ...how, withOfCodes: withAnomalies });
  const groups = given && new Set(given);
  return {
    scores,
    surprises: withAnomalies ? surprisesFor(model, rows, { missing, given: groups }, ofCodes) : null,
  };
}
