import { Candidate, CANDIDATE_BYTES, candidateAt, ownFieldAt } from './own-fields';
import { State } from './state';

/**
 * Lets the next trees use the predictors of which the host wrote a 1 to `scores` (free between trees), a byte each:
 * here, since they are many and a tree of few rows is grown in microseconds.
 */
export function allowPredictors(state: State): void {
  if (state.fieldTotal) {
    chooseCandidates(state, state.scores);
    return;
  }
  let from = state.scores;
  let to = state.allowed;
  // behind the last predictor no mask changes: these stay zero
  for (const end = to + (<usize>state.predictors << 3); to < end; to += 8, from++)
    store<i64>(to, load<u8>(from) ? -1 : 0);
}

/** Every predictor may be used; the padding behind them never. */
export function allowAll(state: State): void {
  if (state.fieldTotal) {
    chooseCandidates(state, 0);
    return;
  }
  const end = <usize>state.predictors << 3;
  memory.fill(state.allowed, 0xff, end);
  memory.fill(state.allowed + end, 0, (((<usize>state.predictors + 7) & ~7) << 3) - end);
}

/** The earliest predictor that a candidate stands for and that is allowed; behind its last where none is. */
@inline
function firstAllowed(candidate: Candidate, allowed: usize): u32 {
  let predictor = candidate.first;
  while (predictor <= candidate.last && !load<u8>(allowed + predictor)) predictor++;
  return predictor;
}

/** Lists the candidates of the next trees. @param allowed a byte a predictor, or 0 where all are */
function chooseCandidates(state: State, allowed: usize): void {
  let active = state.active;
  let index: u32 = 0;
  for (let own: u32 = 0; own < state.ownCount; own++) {
    const field = ownFieldAt(state, own);
    for (const end = field.candidateEnd; index < end; index++) {
      const candidate = candidateAt(state, index);
      const predictor = allowed ? firstAllowed(candidate, allowed) : candidate.first;
      if (predictor > candidate.last) continue;
      const chosen = changetype<Candidate>(active);
      chosen.first = predictor;
      chosen.from = candidate.from;
      chosen.to = candidate.to;
      active += CANDIDATE_BYTES;
    }
    field.activeEnd = <u32>((active - state.active) / CANDIDATE_BYTES);
  }
  state.activeCount = <u32>((active - state.active) / CANDIDATE_BYTES);
  state.histogramStride = ((state.activeCount + 1) & ~1) << 4;
}

/** The predictor that a place in the histograms stands for. */
@inline
export function predictorAt(state: State, place: u32): u32 {
  return state.fieldTotal ? changetype<Candidate>(state.active + <usize>place * CANDIDATE_BYTES).first : place;
}
