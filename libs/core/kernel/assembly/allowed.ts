import { Candidate, CANDIDATE_BYTES, ownFieldAt } from './own-fields';
import { State } from './state';

/**
 * Lets the next trees use the predictors of which the host wrote a 1 to `scores` (free between trees), a byte each:
 * here, since they are many and a tree of few rows is grown in microseconds.
 */
export function allow(state: State): void {
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

/** The next trees may use every predictor, as after `prepare`; never the padding behind them. */
export function allowAll(state: State): void {
  if (state.fieldTotal) {
    chooseAll(state);
    return;
  }
  const end = <usize>state.predictors << 3;
  memory.fill(state.allowed, 0xff, end);
  memory.fill(state.allowed + end, 0, (((<usize>state.predictors + 7) & ~7) << 3) - end);
}

/**
 * The earliest predictor that a candidate stands for and that is allowed; behind its last where none is. Eight at a
 * time, since which one it is cannot be foreseen: what lies behind the last one is read, and not used.
 */
@inline
function firstAllowed(candidate: Candidate, allowed: usize): u32 {
  let predictor = candidate.first;
  let eight = load<u64>(allowed + predictor);
  while (!eight && predictor < candidate.last) {
    predictor += 8;
    eight = load<u64>(allowed + predictor);
  }
  return predictor + (<u32>ctz(eight) >>> 3);
}

/** Lists the candidates of the next trees. @param allowed a byte a predictor, 1 where it is */
function chooseCandidates(state: State, allowed: usize): void {
  let active = state.active;
  let at = state.candidates;
  for (let own: u32 = 0; own < state.ownCount; own++) {
    const field = ownFieldAt(state, own);
    const end = state.candidates + <usize>field.candidateEnd * CANDIDATE_BYTES;
    for (; at < end; at += CANDIDATE_BYTES) {
      const candidate = changetype<Candidate>(at);
      const predictor = firstAllowed(candidate, allowed);
      // each is written, those that are chosen stay: no branch to mispredict
      v128.store(active, v128.load(at));
      changetype<Candidate>(active).first = predictor;
      active += predictor <= candidate.last ? CANDIDATE_BYTES : 0;
    }
    field.activeEnd = <u32>((active - state.active) / CANDIDATE_BYTES);
  }
  countActive(state, <u32>((active - state.active) / CANDIDATE_BYTES));
}

function chooseAll(state: State): void {
  memory.copy(state.active, state.candidates, <usize>state.candidateCount * CANDIDATE_BYTES);
  for (let own: u32 = 0; own < state.ownCount; own++) {
    const field = ownFieldAt(state, own);
    field.activeEnd = field.candidateEnd;
  }
  countActive(state, state.candidateCount);
}

@inline
function countActive(state: State, count: u32): void {
  state.activeCount = count;
  state.areCutsWritten = 0;
  state.histogramStride = ((count + 1) & ~1) << 4;
}

/** The predictor that a place in the histograms stands for. */
@inline
export function predictorAt(state: State, place: u32): u32 {
  return state.fieldTotal ? changetype<Candidate>(state.active + <usize>place * CANDIDATE_BYTES).first : place;
}
