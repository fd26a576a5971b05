import { State } from './state';

/**
 * Makes the host's bytes, in `scores` (free between trees), the masks of `allowed`: here, since two words a predictor
 * take the host longer than a tree of few rows does. Behind the last predictor no mask changes: these stay zero.
 */
export function allowPredictors(state: State): void {
  let from = state.scores;
  let to = state.allowed;
  for (const end = to + (<usize>state.predictors << 3); to < end; to += 8, from++)
    store<i64>(to, load<u8>(from) ? -1 : 0);
}
