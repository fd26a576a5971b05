import { parseContract, runWordsSchema, wordFlags, type RunWords } from '@orchard/contracts';
import { didYouMean } from '@orchard/dataset';
import { families } from '@orchard/registry';
import type { Option } from 'commander';
import { headingOf, headings, ofModels, rarely } from './help-places.js';
import { UsageError } from '../output/errors.js';
import { dashed } from './flag-of-word.js';
import { formerly } from './former-flags.js';
import { knowing, list, numberOrText } from './values.js';
import { descriptionOf, wordsOfSchema } from './words-of-schema.js';
import { option } from './option.js';

/** Ways of training beside the usual one, by the words of a run. */
export type Variants = Partial<RunWords>;

const variants = (Object.keys(wordFlags) as (keyof typeof runWordsSchema.shape)[])
  .filter((key) => wordFlags[key]!.isVariant === true)
  .map((key) => ({ key, name: dashed(key), schema: runWordsSchema.shape[key], ...wordFlags[key]! }));

/** `--variant dropout=0.1,exclusive=found`: once with all of them, or once for each. */
export function variantOption(): Option {
  const said = variants.map(({ name, schema, usual }) => `${name}: ${descriptionOf(schema)!} (default: ${usual!})`);
  const description = `ways of training beside the usual, as dropout=0.1,exclusive=found. ${said.join('. ')}`;
  const words = variants.flatMap(({ name, schema }) => {
    const own = wordsOfSchema(schema);
    return own.length === 0 ? [`${name}=`] : own.map((word) => `${name}=${word}`);
  });
  const read = (text: string, before: Variants = {}): Variants => list(text).reduce(withVariant, before);
  const takers = families.all.filter(({ words: taken }) => variants.some(({ key }) => key in taken.shape));
  const made = option('--variant <list>', description, () => knowing(words, read)).helpGroup(
    takers.length === 1 ? headingOf(takers[0]!.name) : headings.tuning,
  );
  return rarely(ofModels(made, new Map(takers.map(({ name }) => [name, description]))));
}

/** The flags of their own that variants had before. */
export function formerVariants(): Option[] {
  return variants.map(({ key, name, schema, value }) => {
    const read = (text: string): unknown => parseContract(schema, numberOrText(text), `--${name}`);
    const own = option(`--${dashed(key)} <${value!}>`, descriptionOf(schema)!, () => knowing([], read));
    return formerly(own, (said) => `--variant ${name}=${String(said)}`);
  });
}

/**
 * The variants among a command's parsed options.
 *
 * @throws UsageError for one that is said in both forms
 */
export function variantsOf(options: Readonly<Record<string, unknown>>): Variants {
  const { variant = {} } = options as { readonly variant?: Variants };
  const former = variants.filter(({ key }) => options[key] !== undefined);
  for (const { key, name } of former)
    if (key in variant) refuse(`${name} twice`, 'each variant once', 'Leave one out.');
  return { ...Object.fromEntries(former.map(({ key }) => [key, options[key]])), ...variant };
}

/** @throws UsageError for a name or a value that cannot be taken, or a variant that was said already */
function withVariant(before: Variants, text: string): Variants {
  const [name = '', ...rest] = text.split('=');
  const variant = variants.find((one) => one.name === name);
  const names = variants.map((one) => one.name);
  if (variant === undefined || rest.length === 0)
    return refuse(
      JSON.stringify(text.slice(0, 60)),
      `NAME=VALUE, of the names ${names.join(', ')}`,
      (variant === undefined ? didYouMean(name, names) : undefined) ?? 'orchard help train lists them.',
    );
  const { key, schema } = variant;
  if (key in before) return refuse(`${name} twice`, 'each variant once', 'Leave one out.');
  return { ...before, [key]: parseContract(schema, numberOrText(rest.join('=')), `--variant ${name}`) };
}

function refuse(got: string, expected: string, remedy: string): never {
  throw new UsageError({ got, expected, where: '--variant', remedy });
}
