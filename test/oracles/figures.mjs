/**
 * What is printed elsewhere of these networks: mean test log-likelihood in nats per row, M. Goessling, "LogitBoost
 * autoregressive networks", table 1 and section 5; refit is of the individual selection. `judged` sets are the
 * published splits throughout.
 */
export const oracles = {
  dna: {
    leaves: 16,
    shrinkage: 0.02,
    judged: true,
    paper: { individual: -78.79, common: -78.64, linearized: -78.91, refit: -77.93 },
  },
  mushrooms: {
    leaves: 8,
    shrinkage: 0.02,
    judged: true,
    paper: { individual: -9.62, common: -9.71, linearized: -9.71, refit: -9.54 },
  },
  adult: {
    leaves: 2,
    shrinkage: 0.1,
    judged: true,
    paper: { individual: -13.09, common: -13.29, linearized: -13.07, refit: -13.07 },
  },
  ocr_letters: {
    leaves: 64,
    shrinkage: 0.02,
    judged: true,
    paper: { individual: -24.6, common: -24.74, linearized: -24.63, refit: -24.47 },
  },
  binarized_mnist: {
    leaves: 32,
    shrinkage: 0.02,
    judged: false,
    rounds: 100,
    note: 'the paper trains 1000 rounds (--rounds 1000, hours); the test rows here are another random binarization of the same images',
    paper: { individual: -86.69, common: -87.29, linearized: -86.86, refit: -86.49 },
  },
};

/** Rounds of the paper's table. */
export const PAPER_ROUNDS = 1000;

/**
 * Nats between ours and the paper's beyond which the command fails: its own for refits, whose rules the paper leaves
 * open.
 */
export const tolerances = { selection: 0.05, refit: 0.1 };
