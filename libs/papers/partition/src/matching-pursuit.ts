/** The experts that explain a row. */
export interface Explanation {
  /** In the order in which they were added; at least one. */
  readonly experts: readonly number[];
  /** log P(row | these experts), nats. */
  readonly nats: number;
}

/** A row that experts are added to, one after the other. */
export interface Candidates {
  /** log P(row | those that were added, and this one) of each expert, as it was when they were last asked. */
  readonly nats: Float64Array;
  /** Makes the `nats` of all experts that were not added. */
  ask(): void;
  add(expert: number): void;
}

/** An expert is added only for more than this, nats: less is rounding. */
const LEAST_GAIN = 1e-9;

/**
 * Likelihood matching pursuit (thesis, 4.2): the expert is added that makes the row likeliest, of equal ones the first,
 * until none makes it likelier.
 *
 * @param most experts that may explain a row
 * @param prices nats that an expert has to be worth to be added: none, as the thesis has it
 * @param visit called for every set that is looked at, none twice: the experts before, one that may be added, and log
 *   P(row | all of these)
 */
export function explainBy(
  candidates: Candidates,
  most = candidates.nats.length,
  prices: Float64Array | null = null,
  visit?: (before: readonly number[], expert: number, nats: number) => void,
): Explanation {
  const told = candidates.nats;
  const chosen: number[] = [];
  let nats = -Infinity;
  while (chosen.length < most) {
    candidates.ask();
    let best = -1;
    let highest = nats + LEAST_GAIN;
    for (let expert = 0; expert < told.length; expert++) {
      if (chosen.includes(expert)) continue;
      visit?.(chosen, expert, told[expert]!);
      const worth = told[expert]! - (prices?.[expert] ?? 0);
      if (worth > highest) {
        highest = worth;
        best = expert;
      }
    }
    if (best < 0) break;
    nats = told[best]!;
    candidates.add(best);
    chosen.push(best);
  }
  return { experts: chosen, nats };
}
