import { z } from 'zod';

const environmentSchema = z.object({
  NO_COLOR: z.string().optional(),
  FORCE_COLOR: z.string().optional(),
  TERM: z.string().optional(),
});

/** What people say of colours in the environment. */
export type ColourEnvironment = z.infer<typeof environmentSchema>;

export const colourEnvironment = (): ColourEnvironment => environmentSchema.parse(process.env);

/**
 * Whether a stream is written to in colours: where it is a terminal that can, unless NO_COLOR is anything but empty
 * (no-color.org) or FORCE_COLOR is 0 or false; everywhere where FORCE_COLOR is anything else but empty.
 */
export function hasColours(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR = '', FORCE_COLOR = '', TERM = '' }: ColourEnvironment,
): boolean {
  if (NO_COLOR !== '' || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  return FORCE_COLOR !== '' || (isTTY === true && TERM !== 'dumb');
}

const within =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${String(on)}m${text}\u001b[${String(off)}m`;

/** Each ends what it began and nothing else. */
export const colours = { faint: within(2, 22), bold: within(1, 22), red: within(31, 39), yellow: within(33, 39) };
