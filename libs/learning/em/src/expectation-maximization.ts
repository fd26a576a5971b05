/** The two halves of EM's step, and where it begins. */
export interface EmHalves<Mixture, Shares> {
  readonly first: Shares;
  /** The mixture that follows from how rows are shared out. */
  readonly mixtureOf: (shares: Shares) => Mixture;
  /** Shares training rows out. @returns their summed nats too */
  readonly shared: (mixture: Mixture) => { readonly nats: number; readonly shares: Shares };
  /** Summed nats of the validation rows. */
  readonly validNats: (mixture: Mixture) => number;
}

export interface Learned<Mixture> {
  readonly mixture: Mixture;
  /** Summed nats of the validation rows. */
  readonly validNats: number;
  /** Of EM, to this mixture. */
  readonly step: number;
}

/** EM ends where a step gains less, nats a training row. */
const LEAST_GAIN = 1e-5;
/** EM ends where so many steps have not made the validation rows likelier. */
const PATIENCE = 10;

/**
 * EM, whatever is mixed: of all steps the mixture is kept by which the validation rows are likeliest.
 *
 * @param rows for training
 * @param steps at most
 * @returns null where it was cancelled
 */
export function runEm<Mixture, Shares>(
  { first, mixtureOf, shared, validNats: validNatsOf }: EmHalves<Mixture, Shares>,
  { rows, steps }: { readonly rows: number; readonly steps: number },
  isCancelled: () => boolean,
): Learned<Mixture> | null {
  let best: Learned<Mixture> | null = null;
  let shares = first;
  let before = -Infinity;
  for (let step = 1; step <= steps; step++) {
    if (isCancelled()) return null;
    const mixture = mixtureOf(shares);
    const validNats = validNatsOf(mixture);
    if (best === null || validNats > best.validNats) best = { mixture, validNats, step };
    if (step - best.step >= PATIENCE || step === steps) break;
    const { nats, shares: next } = shared(mixture);
    if (nats - before < LEAST_GAIN * rows) break;
    shares = next;
    before = nats;
  }
  return best;
}

/** Weights in proportion to the rows of each component, and one row more. */
export function weightsOf(rows: Float64Array): Float64Array {
  const all = rows.reduce((sum, own) => sum + own + 1, 0);
  return rows.map((own) => (own + 1) / all);
}
