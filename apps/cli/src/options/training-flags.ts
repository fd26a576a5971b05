import { parseContract, runWordsSchema, wordFlags, type Refit, type RunWords } from '@orchard/contracts';
import { didYouMean } from '@orchard/dataset';
import type { Family } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { families } from '@orchard/registry';
import { Option } from 'commander';
import type { z } from 'zod';
import { headingOf, headings, ofModels, rarely } from './help-places.js';
import { refuseTogether, UsageError } from '../output/errors.js';
import { flagOfWord } from './flag-of-word.js';
import type { TypedOption } from './option.js';
import { knowing, list, numberOrText, type Reader } from './values.js';
import { formerVariants, variantOption, variantsOf } from './variants.js';
import { descriptionOf, valueSchemaOf, wordsOfSchema } from './words-of-schema.js';

/** What the command line says of a run, but for the ordering, which may need the data's names. */
export type TrainingWords = Omit<RunWords, 'ordering'>;

/** A word of a request, with what each family that takes it has it take. */
interface Word {
  readonly key: string;
  /** Of the word where kinds of models share it; null of one that each of them has in its own way. */
  readonly shared: z.ZodType | null;
  readonly takers: ReadonlyMap<Family, z.ZodType>;
}

interface WordOption {
  readonly option: Option;
  /** What an option without a value gives the word: models that refuse it do not take the option. */
  readonly value?: Refit;
}

/** No limit at all, in JSON null; the parser of the command line makes '' of a null. */
const OFF = 'off';

/** What the note on a share of predictors that was not asked for calls them. */
export const fractionFlags = { leaves: '--leaves', allPredictors: '--feature-fraction 1' } as const;

/** What each option of the word `refit` gives it. */
const refits: readonly (readonly [flag: string, value: Refit, description: string])[] = [
  ['--refit', true, 'fit leaf values again to training and validation rows together (default)'],
  ['--no-refit', false, 'keep what training found'],
  [
    '--retrain',
    'again',
    'instead of a refit, train again on training and validation rows together, for as many rounds',
  ],
];

/**
 * A flag for every word that families are trained by, as their schemas have them: `pseudoCount` is `--pseudo-count`.
 * What a word takes that kinds of models have in their own ways, each family checks.
 */
export function trainingOptions(): readonly TypedOption<object>[] {
  const flags = wordsTaken().flatMap((word) => optionsOf(word).map((one) => placed(word, one)));
  return [...flags, variantOption(), ...formerVariants()];
}

/** The options that choose one of a run's networks. */
export function choiceOptions(): readonly TypedOption<object>[] {
  const choices = wordsTaken().filter(({ key }) => key === 'select' || key === 'refit');
  return choices.flatMap(optionsOf).map(({ option }) => option);
}

/** In the order in which help shows them: those that kinds of models share before those of one. */
function wordsTaken(): readonly Word[] {
  const shared: Readonly<Record<string, z.ZodType>> = runWordsSchema.shape;
  const keys = [wordFlags, shared, ...families.all.map(({ words }) => words.shape)].flatMap(Object.keys);
  return [...new Set(keys)].filter(hasFlag).map((key) => ({
    key,
    shared: shared[key] ?? null,
    takers: new Map(
      families.all.filter(({ words }) => key in words.shape).map((family) => [family, schemaIn(family, key)]),
    ),
  }));
}

const schemaIn = ({ words }: Family, key: string): z.ZodType => words.shape[key] as z.ZodType;

const flagOf = (key: string) => wordFlags[key as keyof RunWords] ?? {};

/** An ordering may be a file, whose names are read with the rows; variants share one flag. */
const hasFlag = (key: string): boolean => key !== 'ordering' && flagOf(key).isVariant !== true;

function optionsOf(word: Word): readonly WordOption[] {
  const { key, shared, takers } = word;
  if (key === 'refit') return refits.map(([flag, value, said]) => ({ option: new Option(flag, said), value }));
  const schema = shared ?? [...takers.values()][0]!;
  const description = descriptionIn(word);
  if (innermost(schema).def.type === 'boolean') return [{ option: new Option(flagOfWord(key), description) }];
  const option = new Option(`${flagOfWord(key)} <${flagOf(key).value ?? 'value'}>`, description);
  const reader: Reader<unknown> =
    shared === null
      ? knowing<unknown>(wordsOfSchema(schema), numberOrText, () => valueSchemaOf(schema))
      : readerOf(flagOfWord(key), shared, ownForms(word));
  return [{ option: option.argParser(reader) }];
}

/** What an option does, and what is meant without it. */
function descriptionIn({ key, shared, takers }: Word): string {
  if (shared !== null) {
    const { help = (descriptionOf(shared) ?? key).replace('null (off)', OFF), usual } = flagOf(key);
    return usual === undefined ? help : `${help} (default: ${usual})`;
  }
  const meanings = new Map<string, readonly string[]>();
  for (const [{ name }, schema] of takers) {
    const meaning = descriptionOf(schema) ?? key;
    meanings.set(meaning, [...(meanings.get(meaning) ?? []), name]);
  }
  return [...meanings].map(([meaning, names]) => `--model ${names.join(', ')}: ${meaning}`).join('; ');
}

/**
 * What the word takes in models that do not grow trees by these options; of those that do, starts alone differ by more
 * than one of the words left out.
 */
function ownForms({ key, takers }: Word): readonly z.ZodType[] {
  return [...takers].flatMap(([{ words }, schema]) => ('shrinkage' in words.shape && key !== 'start' ? [] : [schema]));
}

/**
 * Reads a word that kinds of models share: what it takes in any of them, since the family of the run checks which is
 * its own.
 */
function readerOf(flag: string, shared: z.ZodType, all: readonly z.ZodType[]): Reader<unknown> {
  const canBeOff = shared.safeParse(null).success;
  const byForm = new Map([shared, ...all].map((schema) => [JSON.stringify(valueSchemaOf(schema)), schema]));
  const schemas = [...byForm.values()];
  const words = [...new Set(schemas.flatMap(wordsOfSchema)), ...(canBeOff ? [OFF] : [])];
  const read = innermost(shared).def.type === 'array' ? list : numberOrText;
  return knowing(
    words,
    (text): unknown => {
      if (canBeOff && text === OFF) return OFF;
      const value = read(text);
      const isTaken = all.some((schema) => schema.safeParse(value).success);
      return isTaken ? value : parsedOrSuggested(shared, value, flag, words);
    },
    () => {
      const forms = [...schemas.map(valueSchemaOf), ...(canBeOff ? [{ const: OFF }] : [])];
      return forms.length === 1 ? forms[0]! : { anyOf: forms };
    },
  );
}

/** @throws UsageError that asks for the most alike word, where the value is misspelt */
function parsedOrSuggested(schema: z.ZodType, value: unknown, flag: string, words: readonly string[]): unknown {
  try {
    return parseContract(schema, value, flag);
  } catch (error) {
    const near = didYouMean(String(value), words);
    if (near === null || !isRefusal(error)) throw error;
    const { got, expected } = error;
    throw new UsageError({ got, expected, where: flag, remedy: near }, { cause: error });
  }
}

/**
 * Puts an option below a heading, or below the name of the model if one alone takes it. A model that does not grow
 * trees by these options says itself what a word means to it.
 */
function placed({ key, shared, takers }: Word, { option, value }: WordOption): Option {
  const accepting = [...takers].filter(([, schema]) => value === undefined || schema.safeParse(value).success);
  const growsTrees = ([{ words }]: readonly [Family, z.ZodType]): boolean =>
    shared !== null && (key === 'seed' || 'shrinkage' in words.shape);
  // a schema describes what is done: of one of several options of a word that is the one that says yes
  const isDescribed = value === undefined || value === true;
  const meaningOf = (taker: readonly [Family, z.ZodType]): string =>
    (growsTrees(taker) || !isDescribed ? undefined : descriptionOf(taker[1])) ?? option.description;
  const meanings = new Map(accepting.map((taker) => [taker[0].name, meaningOf(taker)]));
  if (key === 'seed')
    for (const { name } of families.all)
      if (!meanings.has(name)) meanings.set(name, 'draws the rows that validate or test; the model draws nothing');
  ofModels(option, meanings);
  const { isOfModel = false, isCommon = false } = flagOf(key);
  if (!isCommon) rarely(option);
  if (shared === null) return option;
  const [first, ...others] = accepting.filter(growsTrees);
  const heading = isOfModel ? headings.model : headings.tuning;
  return option.helpGroup(first !== undefined && others.length === 0 ? headingOf(first[0].name) : heading);
}

/** The training words among a command's parsed options. */
export function trainingWords(given: object): TrainingWords {
  const options = given as Readonly<Record<string, unknown>>;
  const said = wordsTaken()
    .filter(({ key }) => options[key] !== undefined)
    .map(({ key }) => [key, options[key] === OFF ? null : options[key]] as const);
  const words: TrainingWords = { ...Object.fromEntries(said), ...variantsOf(options) };
  return options['retrain'] === true ? { ...words, refit: again(words) } : words;
}

/** Those that a family is to hear of: `--seed` draws rows too, for models that draw nothing themselves. */
export function wordsFor({ words }: Pick<Family, 'words'>, given: object): TrainingWords {
  const { seed, ...others } = trainingWords(given);
  return seed !== undefined && 'seed' in words.shape ? { seed, ...others } : others;
}

/** @throws UsageError for a network that is to be trained again and to be refitted, or to be left as it is */
function again({ refit }: TrainingWords): 'again' {
  if (refit === undefined) return 'again';
  refuseTogether('--retrain', refit === false ? '--no-refit' : '--refit', { where: 'the options' });
}

/** @throws UsageError for a word that models of that family are not trained by, as the command line calls it */
export function checkWords(
  { name, words, whyWithout = {} }: Pick<Family, 'name' | 'words' | 'whyWithout'>,
  said: TrainingWords,
): void {
  const strangers = Object.keys(said).filter((key) => !Object.hasOwn(words.shape, key));
  if (strangers.length === 0) return;
  const flagsOf = (keys: readonly string[]): string =>
    keys.map((key) => (key === 'refit' ? '--refit, --no-refit or --retrain' : flagOfWord(key))).join(', ');
  const own = Object.keys(words.shape);
  throw new UsageError({
    got: flagsOf(strangers),
    expected: [
      own.length === 0
        ? `none of such options, as models of the family ${name} have none`
        : `what a model of the family ${name} is trained by: ${flagsOf(own)}`,
      ...strangers.flatMap((key) => whyWithout[key] ?? []),
    ].join('; '),
    where: `--model ${name}`,
    remedy: strangers.includes('weights') ? remedyOfWeights(said) : 'Leave it out.',
  });
}

/** `--weights` weighs the networks of a mixture, and reads as if it weighed rows. */
function remedyOfWeights(said: TrainingWords): string {
  const { weights } = said as { readonly weights?: unknown };
  const ofNetworks =
    wordsTaken()
      .find(({ key }) => key === 'weights')
      ?.takers.values() ?? [];
  const isOfNetworks = [...ofNetworks].some((schema) => schema.safeParse(weights).success);
  return isOfNetworks
    ? 'Leave it out.'
    : `Row weights are --row-weights ${String(weights)}; --weights are those of the networks that a model mixes.`;
}

function innermost(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { readonly innerType?: z.ZodType };
  return innerType === undefined ? schema : innermost(innerType);
}
