import { z } from 'zod';

/**
 * - `few-validation-rows`: what is chosen by so few rows is chosen by chance
 * - `constant-columns`: columns with one value in all training rows, of which nothing can be learned
 * - `ordering-sampled`: an ordering that was found from some of the rows, or for some of the columns
 * - `rounds-limit`: the validation likelihood was still rising at the last round
 */
const warningCodes = ['few-validation-rows', 'constant-columns', 'ordering-sampled', 'rounds-limit'] as const;

/** What a run is worth being warned about: a code for programs, a sentence for people. */
export const runWarningSchema = z.strictObject({
  code: z.enum(warningCodes),
  message: z.string().meta({ description: 'a sentence or two: what was found, and what to do about it' }),
});

export type RunWarning = z.infer<typeof runWarningSchema>;
