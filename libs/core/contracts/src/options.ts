import { z } from 'zod';
import { MAXIMUM_LEAVES, MAXIMUM_ROUNDS } from './limits.js';

export const seedSchema = z
  .int()
  .min(0)
  .meta({ description: 'a whole number from 0 to 2^53 - 1: all randomness derives from it' });

/** Starts of the trees of a table's columns. */
export const tableStartSchema = z.enum(['half', 'base-rate', 'linear', 'auto']).meta({
  description:
    "start of the first tree: 'half' (odds 1), 'base-rate' (odds of the training rows), 'linear' (columns of numbers: a ridge regression on earlier columns) or 'auto' (that regression where it tells something)",
});

export type TableStart = z.infer<typeof tableStartSchema>;

/**
 * How one conditional is trained (README of libs/learning/logitboost). The descriptions are the only text about each
 * option: errors and the HTTP documentation show them.
 */
export const trainingOptionsSchema = z.strictObject({
  leaves: z
    .int()
    .min(2)
    .max(MAXIMUM_LEAVES)
    .meta({ description: 'leaves per tree (J), a whole number from 2 to 65536' }),
  rounds: z
    .int()
    .min(1)
    .max(MAXIMUM_ROUNDS)
    .meta({ description: 'trees per column at most (rounds, T), a whole number from 1 to 100000' }),
  shrinkage: z
    .number()
    .gt(0)
    .max(1)
    .meta({ description: 'step size of each tree (shrinkage, nu), a number above 0 and at most 1' }),
  start: z
    .enum(['half', 'base-rate'])
    .meta({ description: "'half' (odds 1) or 'base-rate' (the odds of the training rows) before the first tree" }),
  minLeafWeight: z
    .number()
    .min(0)
    .max(1e15)
    .meta({ description: 'least weight of a leaf (W), a number from 0 (off) to 1e15' }),
  maxLeafValue: z
    .number()
    .gt(0)
    .max(600)
    .nullable()
    .meta({ description: 'largest leaf value, a number above 0 and at most 600, or null (off)' }),
  l2: z
    .number()
    .min(0)
    .max(1e15)
    .meta({ description: 'L2 penalty of leaf values (lambda), a number from 0 (off) to 1e15' }),
  featureFraction: z
    .number()
    .gt(0)
    .max(1)
    .meta({ description: 'share of the predictors that a tree may use, a number above 0 and at most 1 (off)' }),
  patience: z.int().min(0).max(MAXIMUM_ROUNDS).meta({
    description:
      'patience in rounds, a whole number from 0 (off) to 100000: training stops at 1.5 times the best round + patience',
  }),
});

/** Beside the options that every specification says: absent from one whose trees grow on all rows. */
export const rowsPerTreeSchema = z
  .int()
  .min(1)
  .max(2 ** 32 - 1)
  .meta({
    description:
      'training rows that each tree grows on, a whole number from 1, drawn anew for each tree: faster where rows are many',
  });

export type TrainingOptions = z.infer<typeof trainingOptionsSchema>;
