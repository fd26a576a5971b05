import { didYouMean } from '@orchard/dataset';
import { families } from '@orchard/registry';
import type { Family } from '@orchard/pipeline';
import { Command, CommanderError } from 'commander';
import type { z } from 'zod';
import { UsageError } from '../../output/errors.js';
import { orderingOption } from '../../options/repeated-options.js';
import { trainingOptions } from '../../options/training-flags.js';
import { wordsOfSchema } from '../../options/words-of-schema.js';

/** A model that is compared: a family with settings, the usual ones where none are said. */
export interface Contender {
  /** As `--models` has it: `lbarn`, `lbarn:accurate`, `cutset:components=40:weights=em`. */
  readonly name: string;
  readonly family: Family;
  /** The options of `orchard train` for the same: `--model lbarn --preset accurate`. */
  readonly flags: readonly string[];
  /** The settings as `orchard train` parses them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Of its own, below the folder of the comparison. */
  readonly folder: string;
}

/**
 * Reads one item of `--models`: a family, and after colons its settings, which are a preset of the family or options of
 * `orchard train` without dashes.
 *
 * @throws UsageError where there is no such family or setting; PipelineError where its package is not installed
 */
export function contenderOf(name: string): Contender {
  const [familyName = '', ...settings] = name.split(':').map((part) => part.trim());
  const family = families.all.find((one) => one.name === familyName);
  if (family === undefined) {
    families.requireInstalled(familyName);
    const known = families.all.map((one) => one.name);
    throw new UsageError({
      got: JSON.stringify(familyName.slice(0, 60)),
      expected: `a kind of model, with settings after it, as lbarn:leaves=8: ${known.join(', ')}`,
      where: '--models',
      remedy: didYouMean(familyName, known) ?? 'Correct the name.',
    });
  }
  const flags = settings.flatMap((setting) => flagsOf(setting, family));
  return {
    name: [familyName, ...settings].join(':'),
    family,
    flags: ['--model', familyName, ...flags],
    options: optionsOf(flags, name),
    folder: [familyName, ...settings].join('-').replace(/[^\w.=-]+/g, '_'),
  };
}

/** The presets of a family beside the one that is usual. */
export function furtherPresets({ words }: Pick<Family, 'words'>): readonly string[] {
  const { preset } = words.shape as Readonly<Record<string, z.ZodType>>;
  return preset === undefined ? [] : wordsOfSchema(preset).filter((word) => word !== 'default');
}

/** @throws UsageError for a model that is named twice */
export function refuseTwice(contenders: readonly Contender[]): void {
  const twice = contenders.find(({ folder }, at) => contenders.findIndex((other) => other.folder === folder) < at);
  if (twice === undefined) return;
  throw new UsageError({
    got: `${twice.name} twice`,
    expected: 'each model once',
    where: '--models',
    remedy: 'Leave one out; --accurate adds the presets of that name by itself.',
  });
}

function flagsOf(setting: string, family: Family): string[] {
  const at = setting.indexOf('=');
  if (at >= 0) return [`--${setting.slice(0, at)}`, setting.slice(at + 1)];
  return setting === 'default' || furtherPresets(family).includes(setting) ? ['--preset', setting] : [`--${setting}`];
}

/** The settings, read as `orchard train` reads its options. @throws UsageError */
function optionsOf(flags: readonly string[], name: string): Readonly<Record<string, unknown>> {
  const command = new Command('train')
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const one of [orderingOption(), ...trainingOptions()]) command.addOption(one);
  try {
    return command.parse(flags, { from: 'user' }).opts();
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    throw new UsageError(
      {
        got: cause.message.replace(/^error: /, '').replace(/\s+/g, ' '),
        expected:
          'settings that orchard train has, without dashes: a preset, or an option and its value with = between',
        where: `--models ${name}`,
        remedy: 'orchard help train lists them.',
      },
      { cause },
    );
  }
}
