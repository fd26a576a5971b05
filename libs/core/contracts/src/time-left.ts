import { z } from 'zod';

const seconds = z.number().min(0);

/** The time left of a stage, as progress, status and overview of a run have it. */
export const timeLeftShape = {
  secondsLeft: seconds.nullable().meta({
    description: 'of this stage, by the cost of what is done and what is left; null until something of it is done',
  }),
  secondsLeftRange: z
    .strictObject({ least: seconds, most: seconds })
    .nullable()
    .meta({ description: 'what it may well be: wide at first; null where `secondsLeft` is' }),
};

export type TimeLeft = z.infer<z.ZodObject<typeof timeLeftShape>>;

export const unknownTimeLeft: TimeLeft = { secondsLeft: null, secondsLeftRange: null };
