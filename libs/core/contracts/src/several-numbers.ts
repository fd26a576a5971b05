import { z } from 'zod';

/**
 * A word of a family that is one number, or several to choose from: as a list, or as the command line writes it, with
 * commas.
 */
export function severalNumbers(number: z.ZodType<number>, most: number, description: string) {
  const list = z.array(number).min(1).max(most);
  const isList = (text: string): boolean => list.safeParse(numbersIn(text)).success;
  return z
    .union([number, list, z.string().refine(isList, { error: description })])
    .optional()
    .meta({ description });
}

/** The numbers of such a word, each once, ascending: so that their order is not another run. */
export function ascendingNumbers(said: number | readonly number[] | string): number[] {
  const numbers = typeof said === 'number' ? [said] : typeof said === 'string' ? numbersIn(said) : said;
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function numbersIn(text: string): number[] {
  return text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
}
