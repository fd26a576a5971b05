import {
  AUTO,
  defaultChoice,
  FEW_TABLE_ROWS,
  memberDefaults,
  orderingKinds,
  parseContract,
  presets,
  presetWords,
  runWordsSchema,
  tablePresets,
  tuningDefaults,
  type Refit,
  type RunWords,
  type TrainingOptions,
} from '@orchard/contracts';
import { families } from '@orchard/registry';
import { Option, type Command } from 'commander';
import type { Family } from '@orchard/pipeline';
import { headingOf, headings, ofModels, rarely } from '../command-line/help-places.js';
import type { z } from 'zod';
import { UsageError } from '../errors.js';
import { addFamilyOptions, familyWords, flagOfWord } from './family-options.js';
import { knowing, list, numberOrText } from './values.js';
import { descriptionOf, valueSchemaOf, wordsOfSchema } from './words-of-schema.js';

/** What the command line says of a run, but for the ordering, which may need the data's names. */
export type TrainingWords = Omit<RunWords, 'ordering'>;

/** The flag of every training option; the schema's description is its help. */
const flags: Readonly<Record<keyof TrainingOptions, string>> = {
  leaves: '--leaves <J>',
  rounds: '--rounds <T>',
  shrinkage: '--shrinkage <nu>',
  start: '--start <odds>',
  minLeafWeight: '--min-leaf-weight <w>',
  maxLeafValue: '--max-leaf-value <value>',
  l2: '--l2 <lambda>',
  featureFraction: '--feature-fraction <share>',
  patience: '--patience <rounds>',
};

/**
 * Ways of training that the paper names beside its own, and columns or rows left out of very large data; their schemas'
 * descriptions are their help.
 */
const variantFlags = {
  gradients: '--gradients <order>',
  startPenalty: '--start-penalty <lambda>',
  dropout: '--dropout <rate>',
  exclusive: '--exclusive <columns>',
  maxPredictors: '--max-predictors <K>',
  nearPredictors: '--near-predictors <K>',
  rowsPerTree: '--rows-per-tree <N>',
} as const;

/** What is meant where they are not given. */
const usualVariants: Readonly<Record<keyof typeof variantFlags, string>> = {
  gradients: 'newton',
  startPenalty: 'with --start logistic, one of 64, 32, … 0.5 for each column, by its validation rows',
  dropout: '0',
  exclusive: 'none; accurate: found',
  maxPredictors: 'all',
  nearPredictors: 'none',
  rowsPerTree: 'all',
};

/** The limit of a leaf value can be nothing at all, in JSON null; the parser of the command line makes '' of a null. */
const OFF = 'off';

/** What the note on a share of predictors that was not asked for calls them. */
export const fractionFlags = { leaves: '--leaves', allPredictors: '--feature-fraction 1' } as const;

/** Several networks of one run, mixed. */
const memberFlags = {
  members: '--members <M>',
  orderings: '--orderings <kinds>',
  folds: '--folds <F>',
} as const;

const wordFlags = {
  preset: '--preset <name>',
  select: '--select <selection>',
  seed: '--seed <seed>',
} as const;

/** Training options that `--help` shows; it leaves the others to `--help-all`. */
const common: readonly (keyof TrainingOptions)[] = ['leaves', 'rounds', 'shrinkage'];

/** Adds the options that say how a network is trained and which of a run's networks is wanted. */
export function addTrainingOptions(command: Command): Command {
  const { members, select, exclusive } = presetWords.accurate;
  const accurate = `default with --members ${String(members)} --select ${String(select)} --exclusive ${String(exclusive)} and trees chosen from more trials: likelier, slower`;
  const { few, others } = tablePresets.accurate;
  const ofTables = `--members ${String(others.members)} --leaves ${others.leaves}, under ${String(FEW_TABLE_ROWS)} rows --members ${String(few.members)}`;
  command.addOption(
    placed(
      'preset',
      headings.model,
      optionOf(
        wordFlags.preset,
        runWordsSchema.shape.preset,
        `settings that other options change: default, accurate (${accurate}; tables: ${ofTables}), paper (as in the paper), single-tree (one tree per column, the paper's baseline) (default: default)`,
      ),
    ),
  );
  command.addOption(
    placed(
      'members',
      headings.model,
      optionOf(
        memberFlags.members,
        runWordsSchema.shape.members,
        'mix this many models, each in another order of the columns and with other validation rows: likelier, M times the work ' +
          `(default: 1; tables under ${String(FEW_TABLE_ROWS)} rows: ${String(tablePresets.default.few.members)})`,
      ),
    ),
  );
  for (const [key, flag] of Object.entries(flags) as [keyof TrainingOptions, string][]) {
    const schema = runWordsSchema.shape[key];
    const option = placed(key, headings.tuning, optionOf(flag, schema, trainingHelp(key), numberOrText, othersOf(key)));
    command.addOption(common.includes(key) ? option : rarely(option));
  }
  command.addOption(
    placed(
      'seed',
      headings.tuning,
      optionOf(
        wordFlags.seed,
        runWordsSchema.shape.seed,
        'seed of all randomness; the same seed gives the same model (default: 0)',
      ),
    ),
  );
  const { wideOrderings, orderings, folds, committeeFolds } = memberDefaults;
  const more: readonly [keyof RunWords, Option][] = [
    [
      'orderings',
      optionOf(
        memberFlags.orderings,
        runWordsSchema.shape.orderings,
        `column orders that the members take in turn, from ${orderingKinds.join(', ')} ` +
          `(default: ${orderings.join(',')}; over 4096 columns: ${wideOrderings.join(',')}; tables: natural,reversed and six random)`,
        list,
      ),
    ],
    [
      'folds',
      optionOf(
        memberFlags.folds,
        runWordsSchema.shape.folds,
        `parts that training and validation rows are split into; member m validates with part m mod F (default: ${String(folds)}; committees: ${String(committeeFolds)})`,
      ),
    ],
    [
      'committee',
      new Option('--committee', 'make each member F networks in one order, each validated by another part'),
    ],
  ];
  for (const [key, option] of more) command.addOption(rarely(placed(key, headings.model, option)));
  for (const [key, flag] of Object.entries(variantFlags) as [keyof typeof variantFlags, string][]) {
    const schema = runWordsSchema.shape[key];
    const description = `${schema.unwrap().description!} (default: ${usualVariants[key]})`;
    command.addOption(rarely(placed(key, headings.tuning, optionOf(flag, schema, description))));
  }
  for (const { key, value, option } of choiceOptions())
    command.addOption(rarely(placed(key, headings.tuning, option, value)));
  return addFamilyOptions(command);
}

/**
 * What the word means to models that do not grow trees by these options, and a start to those that have other ones:
 * their families check which value is theirs.
 */
function othersOf(key: keyof TrainingOptions): readonly z.ZodType[] {
  return families.all.flatMap(({ words }) => {
    const own = words.shape[key] as z.ZodType | undefined;
    return own === undefined || ('shrinkage' in words.shape && key !== 'start') ? [] : [own];
  });
}

/** What an option of the training does, and its value in the presets. */
function trainingHelp(key: keyof TrainingOptions): string {
  const schema = runWordsSchema.shape[key];
  const said = (descriptionOf(schema) ?? key).replace('null (off)', 'off');
  const tried = {
    leaves: tuningDefaults.brief.leaves,
    featureFraction: [presets.default.featureFraction, ...tuningDefaults.brief.featureFractions],
  };
  const trials = key in tried ? `, from ${tried[key as keyof typeof tried].join(', ')}` : '';
  const [usual, paper] = [presets.default[key], presets.paper[key]].map((value) => String(value ?? OFF));
  const { few } = tablePresets.default;
  if (key === 'leaves')
    return `${said}${trials} (default: ${AUTO}; tables under ${String(FEW_TABLE_ROWS)} rows: ${String(few.leaves)}; paper: ${paper!})`;
  if (key === 'start')
    return `${said}; tables: also 'linear' (columns of numbers start from a ridge regression on earlier columns) or 'auto' (those that it tells something) (default: ${usual!}; tables: ${few.start}; paper: ${paper!})`;
  const isTuned = key in presetWords.default;
  return `${said}${trials} (default: ${isTuned ? `${AUTO}; tables, or with --leaves J: ` : ''}${usual!}; paper: ${paper!})`;
}

/**
 * Puts an option below a heading, or below the name of the model if one alone takes it. A model that does not grow
 * trees by these options says itself what a word means to it.
 *
 * @param value what an option without a value gives the word: models that refuse it do not take the option
 */
function placed(key: keyof RunWords, heading: string, option: Option, value?: unknown): Option {
  const schemaOf = ({ words }: Family): z.ZodType => words.shape[key] as z.ZodType;
  const takers = families.all.filter(
    (family) => key in family.words.shape && (value === undefined || schemaOf(family).safeParse(value).success),
  );
  const isShared = ({ words }: Family): boolean => key === 'seed' || 'shrinkage' in words.shape;
  // a schema describes what is done: of one of several options of a word that is the one that says yes
  const isDescribed = value === undefined || value === true;
  const meaningOf = (family: Family): string => {
    if (isShared(family) || !isDescribed) return option.description;
    return descriptionOf(schemaOf(family)) ?? option.description;
  };
  const [first, ...others] = takers.filter(isShared);
  const isOfOne = first !== undefined && others.length === 0;
  return ofModels(option, new Map(takers.map((family) => [family.name, meaningOf(family)]))).helpGroup(
    isOfOne ? headingOf(first.name) : heading,
  );
}

/** Adds the options that choose one of a run's networks. */
export function addChoiceOptions(command: Command): Command {
  for (const { option } of choiceOptions()) command.addOption(option);
  return command;
}

interface ChoiceOption {
  readonly key: 'select' | 'refit';
  /** What the option gives the word, where it takes no value itself. */
  readonly value?: Refit;
  readonly option: Option;
}

function choiceOptions(): readonly ChoiceOption[] {
  const select = optionOf(
    wordFlags.select,
    runWordsSchema.shape.select,
    `how validation rows choose the number of trees: individual, common, linearized, linearized-backward or pooled (default: ${defaultChoice.selection})`,
  );
  const refit = 'fit leaf values again to training and validation rows together (default)';
  const again = 'instead of a refit, train again on training and validation rows together, for as many rounds';
  return [
    { key: 'select', option: select },
    { key: 'refit', value: true, option: new Option('--refit', refit) },
    { key: 'refit', value: false, option: new Option('--no-refit', 'keep what training found') },
    { key: 'refit', value: 'again', option: new Option('--retrain', again) },
  ];
}

/** The training words among a command's parsed options. */
export function trainingWords(given: object): TrainingWords {
  const options = given as Readonly<Record<string, unknown>>;
  const keys = [
    ...[flags, variantFlags, wordFlags, memberFlags].flatMap((group) => Object.keys(group)),
    ...['committee', 'refit'],
    ...familyWords().map(({ key }) => key),
  ];
  const words = Object.fromEntries(
    keys.filter((key) => options[key] !== undefined).map((key) => [key, options[key] === OFF ? null : options[key]]),
  ) as TrainingWords;
  return options['retrain'] === true ? { ...words, refit: again(words) } : words;
}

/** @throws UsageError for a network that is to be trained again and to be refitted, or to be left as it is */
function again({ refit }: TrainingWords): 'again' {
  if (refit === undefined) return 'again';
  throw new UsageError({
    got: `--retrain and ${refit === false ? '--no-refit' : '--refit'}`,
    expected: 'one of the three',
    where: 'the options',
    remedy: 'Leave one of them out.',
  });
}

/** @throws UsageError for a word that models of that family are not trained by, as the command line calls it */
export function checkWords({ name, words }: Pick<Family, 'name' | 'words'>, said: TrainingWords): void {
  const strangers = Object.keys(said).filter((key) => !Object.hasOwn(words.shape, key));
  if (strangers.length === 0) return;
  const flagsOf = (keys: readonly string[]): string =>
    keys.map((key) => (key === 'refit' ? '--refit, --no-refit or --retrain' : flagOfWord(key))).join(', ');
  throw new UsageError({
    got: flagsOf(strangers),
    expected: `what a model of the family ${name} is trained by: ${flagsOf(Object.keys(words.shape))}`,
    where: `--model ${name}`,
    remedy: strangers.includes('weights') ? remedyOfWeights(said) : 'Leave it out.',
  });
}

/** `--weights` weighs the networks of a mixture, and reads as if it weighed rows. */
function remedyOfWeights(said: TrainingWords): string {
  const { weights } = said as { readonly weights?: unknown };
  const isOfNetworks = familyWords().some(({ key, schema }) => key === 'weights' && schema.safeParse(weights).success);
  return isOfNetworks
    ? 'Leave it out.'
    : `Row weights are --row-weights ${String(weights)}; --weights are those of the networks that a model mixes.`;
}

function optionOf(
  flag: string,
  schema: Parameters<typeof parseContract>[0],
  description: string,
  read: (text: string) => unknown = numberOrText,
  others: readonly z.ZodType[] = [],
): Option {
  const name = flag.split(' ')[0]!;
  const canBeOff = name === '--max-leaf-value';
  const words = [...new Set([schema, ...others].flatMap(wordsOfSchema)), ...(canBeOff ? [OFF] : [])];
  return new Option(flag, description).argParser(
    knowing(
      words,
      (text): unknown => {
        if (canBeOff && text === OFF) return OFF;
        const value = read(text);
        if (others.some((other) => other.safeParse(value).success)) return value;
        return parseContract(schema, value, `option ${name}`);
      },
      () => {
        const all = [...[schema, ...others].map(valueSchemaOf), ...(canBeOff ? [{ const: OFF }] : [])];
        return all.length === 1 ? all[0]! : { anyOf: all };
      },
    ),
  );
}
