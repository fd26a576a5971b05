import {
  defaultChoice,
  parseContract,
  presets,
  runWordsSchema,
  trainingOptionsSchema,
  type RunWords,
  type TrainingOptions,
} from '@orchard/contracts';
import { Option, type Command } from 'commander';
import { numberOrText } from './values.js';

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

/** The limit of a leaf value can be nothing at all, in JSON null; the parser of the command line makes '' of a null. */
const OFF = 'off';

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
      'the options below, where they are not given: default or paper (default: default)',
    ),
  );
  for (const [key, flag] of Object.entries(flags) as [keyof TrainingOptions, string][]) {
    const schema = trainingOptionsSchema.shape[key];
    const description = (schema.description ?? key).replace('null (off)', 'off');
    const [usual, paper] = [presets.default[key], presets.paper[key]].map((value) => String(value ?? OFF));
    command.addOption(optionOf(flag, schema, `${description} (default: ${usual!}; paper: ${paper!})`));
  }
  command.addOption(
    optionOf(wordFlags.seed, runWordsSchema.shape.seed, 'the seed that all randomness derives from (default: 0)'),
  );
  return addChoiceOptions(command);
}

/** Adds the options that choose one of a run's networks. */
export function addChoiceOptions(command: Command): Command {
  return command
    .addOption(
      optionOf(
        wordFlags.select,
        runWordsSchema.shape.select,
        `individual, common, linearized or linearized-backward (default: ${defaultChoice.selection})`,
      ),
    )
    .option('--refit', 'compute the leaf values anew on training and validation rows together (default)')
    .option('--no-refit', 'keep the leaf values of training');
}

/** The training words among a command's parsed options. */
export function trainingWords(options: Readonly<Record<string, unknown>>): TrainingWords {
  const keys = [...Object.keys(flags), ...Object.keys(wordFlags), 'refit'];
  return Object.fromEntries(
    keys.filter((key) => options[key] !== undefined).map((key) => [key, options[key] === OFF ? null : options[key]]),
  ) as TrainingWords;
}

function optionOf(flag: string, schema: Parameters<typeof parseContract>[0], description: string): Option {
  const name = flag.split(' ')[0]!;
  return new Option(flag, description).argParser((text) => {
    if (name === '--max-leaf-value' && text === OFF) return OFF;
    return parseContract(schema, numberOrText(text), `option ${name}`);
  });
}
