import {
  AUTO,
  defaultChoice,
  memberDefaults,
  orderingKinds,
  parseContract,
  presets,
  presetWords,
  runWordsSchema,
  tuningDefaults,
  type RunWords,
  type TrainingOptions,
} from '@orchard/contracts';
import { Option, type Command } from 'commander';
import type { Family } from '@orchard/pipeline';
import { UsageError } from '../errors.js';
import { addFamilyOptions, familyWords, flagOfWord } from './family-options.js';
import { knowing, list, numberOrText } from './values.js';
import { wordsOfSchema } from './words-of-schema.js';

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

/** Ways of training that the paper names beside its own, and columns left out of very wide data; their schemas' descriptions are their help. */
const variantFlags = {
  gradients: '--gradients <order>',
  startPenalty: '--start-penalty <lambda>',
  dropout: '--dropout <rate>',
  exclusive: '--exclusive <columns>',
  maxPredictors: '--max-predictors <K>',
} as const;

/** What is meant where they are not given. */
const usualVariants: Readonly<Record<keyof typeof variantFlags, string>> = {
  gradients: 'newton',
  startPenalty: 'one of 64, 32, … 0.5 for each column, by its validation rows; with --start logistic',
  dropout: '0',
  exclusive: 'none; of accurate found',
  maxPredictors: 'all columns before it',
};

/** The limit of a leaf value can be nothing at all, in JSON null; the parser of the command line makes '' of a null. */
const OFF = 'off';

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

/** Adds the options that say how a network is trained and which of a run's networks is wanted. */
export function addTrainingOptions(command: Command): Command {
  command.addOption(
    optionOf(
      wordFlags.preset,
      runWordsSchema.shape.preset,
      'the options below, where they are not given: default, paper, accurate or single-tree (default: default); single-tree is the baseline of the paper, one probability tree a column whose leaves the validation rows choose; accurate is default with ' +
        `leaves among ${tuningDefaults.thorough.leaves.join(', ')}, feature fractions among ${[presets.accurate.featureFraction, ...tuningDefaults.thorough.featureFractions].join(', ')}, --members ${String(presetWords.accurate.members)}, --select ${String(presetWords.accurate.select)} and --exclusive ${String(presetWords.accurate.exclusive)}: likelier, for the work of eight networks and the trials; of tables it is default with --members ${String(presetWords.accurate.members)}`,
    ),
  );
  for (const [key, flag] of Object.entries(flags) as [keyof TrainingOptions, string][]) {
    const schema = runWordsSchema.shape[key];
    const description = (schema.description ?? schema.unwrap().description ?? key).replace('null (off)', 'off');
    const tried = {
      leaves: tuningDefaults.brief.leaves,
      featureFraction: [presets.default[key], ...tuningDefaults.brief.featureFractions],
    };
    const more =
      key in tried
        ? `; auto tries ${tried[key as keyof typeof tried].join(', ')} quickly on some of the columns${key === 'leaves' ? ', of tables each variable for itself' : ''}`
        : '';
    const [usual, paper] = [presets.default[key], presets.paper[key]].map((value) => String(value ?? OFF)) as [
      string,
      string,
    ];
    const found =
      key in presetWords.default ? `${AUTO}; ${key === 'leaves' ? '' : 'with --leaves <J> and '}of tables ` : '';
    command.addOption(optionOf(flag, schema, `${description}${more} (default: ${found}${usual}; paper: ${paper})`));
  }
  for (const [key, flag] of Object.entries(variantFlags) as [keyof typeof variantFlags, string][]) {
    const schema = runWordsSchema.shape[key];
    command.addOption(optionOf(flag, schema, `${schema.unwrap().description!} (default: ${usualVariants[key]})`));
  }
  command.addOption(
    optionOf(wordFlags.seed, runWordsSchema.shape.seed, 'the seed that all randomness derives from (default: 0)'),
  );
  command
    .addOption(
      optionOf(
        memberFlags.members,
        runWordsSchema.shape.members,
        'mix M networks in different orderings, each on all training and validation rows but a fold that validates it; asked again with more, ' +
          'those that are there are kept, but of tables (default: one network, on the splits as they are; with --orderings as many as they are, with --committee 1, with --folds 8)',
      ),
    )
    .addOption(
      optionOf(
        memberFlags.orderings,
        runWordsSchema.shape.orderings,
        `orderings that the members take turns with, any of ${orderingKinds.join(', ')} ` +
          `(default: ${memberDefaults.orderings.join(',')}; of more than 4096 columns ${memberDefaults.wideOrderings.join(',')}; of tables, which know natural, reversed and random, natural, reversed and six random ones)`,
        list,
      ),
    )
    .addOption(
      optionOf(
        memberFlags.folds,
        runWordsSchema.shape.folds,
        `parts of the training and validation rows together, member m is validated by part m mod F (default: ${String(memberDefaults.folds)}; of committees ${String(memberDefaults.committeeFolds)})`,
      ),
    )
    .option('--committee', 'make each member a committee: F networks in one ordering, one validated by each part');
  return addFamilyOptions(addChoiceOptions(command));
}

/** Adds the options that choose one of a run's networks. */
export function addChoiceOptions(command: Command): Command {
  return command
    .addOption(
      optionOf(
        wordFlags.select,
        runWordsSchema.shape.select,
        `individual, common, linearized, linearized-backward or pooled (default: ${defaultChoice.selection})`,
      ),
    )
    .option('--refit', 'compute the leaf values anew on training and validation rows together (default)')
    .option('--no-refit', 'keep the leaf values of training')
    .option(
      '--retrain',
      'instead of a refit, train again on training and validation rows together, with the rounds that validation rows chose',
    );
}

/** The training words among a command's parsed options. */
export function trainingWords(options: Readonly<Record<string, unknown>>): TrainingWords {
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
    remedy: 'Leave it out.',
  });
}

function optionOf(
  flag: string,
  schema: Parameters<typeof parseContract>[0],
  description: string,
  read: (text: string) => unknown = numberOrText,
): Option {
  const name = flag.split(' ')[0]!;
  const canBeOff = name === '--max-leaf-value';
  const words = [...wordsOfSchema(schema), ...(canBeOff ? [OFF] : [])];
  return new Option(flag, description).argParser(
    knowing(words, (text) => {
      if (canBeOff && text === OFF) return OFF;
      return parseContract(schema, read(text), `option ${name}`);
    }),
  );
}
