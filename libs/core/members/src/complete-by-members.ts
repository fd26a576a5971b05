import type { BitMatrix } from '@orchard/dataset';
import type { Completion, SequentialOptions } from '@orchard/model';
import { exp, log, logSumExp, sumOf } from '@orchard/numerics';
import { choose, componentUniform, seedOfMember } from './random-members.js';

/** What a mixture is completed by. */
interface Weighted {
  readonly weights: Float64Array;
  emptyRows(count: number): BitMatrix;
}

/** Of the evidence, by which members share out draws for cells: from the 4th on points of small tables err alike. */
const ROOT = 4;

type MemberAsked = Pick<SequentialOptions, 'draws' | 'samples' | 'seed'>;

/**
 * Every member completes every row and says how probable what is known is under it; a row is then taken from one of
 * them, in proportion to weight times evidence: w_m Z_m. Members' evidence is unbiased, so that draws tend to the exact
 * distribution as they do for each member, and are exact where all members are. Costs as much as all members.
 *
 * The evidence of a row is Σ w_m Z_m. Members draw independently, so that its squared relative error is Σ p_m² e_m²,
 * p_m the share of member m in it and e_m the member's error; the effective sample size says the same as one of
 * `samples` candidates.
 *
 * Each draw of a row chooses its member by a number of its own, and is that member's draw of the same number. Draws for
 * cells are shared out instead, by weight times the fourth root of the evidence: members of the same rows differ by
 * what they erred in, of which the evidence of one row makes too much, and the mean of their answers errs less; but a
 * member that what is known contradicts has nothing to say. The particles are shared out alike.
 *
 * @param complete the completions of all rows by member m, one a draw, with the same evidence
 * @returns one a draw, with the same evidence
 */
export function completeByMembers(
  mixture: Weighted,
  { seed, samples, draws, firstRow = 0, forCells = false }: SequentialOptions,
  complete: (m: number, asked: MemberAsked) => readonly Completion[],
): readonly Completion[] {
  const { weights } = mixture;
  const own = forCells ? Math.max(1, Math.ceil(samples / weights.length)) : samples;
  const drawn = Array.from(weights, (_, m) => complete(m, { seed: seedOfMember(seed, m), samples: own, draws }));
  const completions = drawn.map(([first]) => first!);
  const { rows } = completions[0]!.matrix;
  const empty = mixture.emptyRows(rows);
  const matrices = Array.from({ length: draws }, () => empty.copy());
  const effectiveSampleSize = new Float64Array(rows);
  const exact = new Uint8Array(rows);
  const logEvidence = new Float64Array(rows);
  const logEvidenceError = new Float64Array(rows);
  const logWeights = weights.map(log);
  for (let row = 0; row < rows; row++) {
    const joint = completions.map((own, m) => logWeights[m]! + own.logEvidence[row]!);
    const total = logSumExp(joint);
    // where no member holds the known values possible none is more probable than before
    const shares = total === -Infinity ? weights : Float64Array.from(joint, (value) => exp(value - total));
    const take = (draw: number, m: number, ofMember: number): void => {
      const { bytes, stride } = drawn[m]![ofMember]!.matrix;
      matrices[draw]!.bytes.set(bytes.subarray(row * stride, (row + 1) * stride), row * stride);
    };
    if (forCells) {
      const roots =
        total === -Infinity ? weights : weights.map((w, m) => w * exp((joint[m]! - total - logWeights[m]!) / ROOT));
      shareOut(draws, roots, take);
    } else
      for (let draw = 0; draw < draws; draw++)
        take(draw, choose(shares, componentUniform(seed, firstRow + row, draw)), draw);
    logEvidence[row] = total;
    exact[row] = completions.every((own) => own.exact[row] === 1) ? 1 : 0;
    logEvidenceError[row] = Math.sqrt(sumOver(completions, shares, (own) => own.logEvidenceError[row]! ** 2));
    effectiveSampleSize[row] =
      exact[row] === 1
        ? Math.min(
            samples,
            completions.reduce(
              (sum, each, m) => sum + shares[m]! * each.effectiveSampleSize[row]! * (samples / own),
              0,
            ),
          )
        : sizeOf(
            samples,
            sumOver(completions, shares, (each) => relativeVariance(each, row, own)),
          );
  }
  return matrices.map((matrix) => ({ matrix, effectiveSampleSize, exact, logEvidence, logEvidenceError }));
}

/** Calls with each draw, a member, and which of its own draws it is: as many of each by weight, spread over its own. */
function shareOut(
  draws: number,
  weights: Float64Array,
  take: (draw: number, m: number, ofMember: number) => void,
): void {
  const total = sumOf(weights);
  let [sum, first] = [0, 0];
  weights.forEach((weight, m) => {
    sum += weight;
    const count = Math.round((draws * sum) / total) - first;
    for (let at = 0; at < count; at++) take(first + at, m, Math.floor(((at + 0.5) * draws) / count));
    first += count;
  });
}

/** Of a member's evidence over its square, by its effective sample size: n / (1 + (n - 1) v), solved for v. */
function relativeVariance({ exact, effectiveSampleSize }: Completion, row: number, samples: number): number {
  if (exact[row] === 1) return 0;
  return samples === 1 ? 1 : Math.max(0, samples / effectiveSampleSize[row]! - 1) / (samples - 1);
}

/** n / (1 + (n - 1) v), at most n whatever the rounding. */
function sizeOf(samples: number, variance: number): number {
  return Math.min(samples, samples / (1 + (samples - 1) * variance));
}

/** Σ share² of(completion); a member without a share adds nothing, however uncertain it is. */
function sumOver(
  completions: readonly Completion[],
  shares: Float64Array,
  of: (completion: Completion) => number,
): number {
  return completions.reduce((sum, own, m) => (shares[m] === 0 ? sum : sum + shares[m]! ** 2 * of(own)), 0);
}
