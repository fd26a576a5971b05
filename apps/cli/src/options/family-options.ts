import { runWordsSchema } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { Option, type Command } from 'commander';
import type { z } from 'zod';
import { ofModels, rarely } from '../command-line/help-places.js';
import { knowing, numberOrText } from './values.js';
import { descriptionOf, valueSchemaOf, wordsOfSchema } from './words-of-schema.js';

/** A word of a request that one kind of model or several know, beside those of networks. */
interface FamilyWord {
  readonly key: string;
  readonly families: readonly string[];
  /** The first family's. */
  readonly schema: z.ZodType;
  /** What it says, and in which families: one word may be said differently of several. */
  readonly meanings: ReadonlyMap<string, readonly string[]>;
}

/**
 * Adds a flag for every word that families have of their own: `pseudoCount` is `--pseudo-count`. What a flag takes its
 * family checks.
 */
export function addFamilyOptions(command: Command): Command {
  for (const { key, schema, meanings } of familyWords()) {
    const flag = flagOfWord(key);
    const isBoolean = valueOf(schema).def.type === 'boolean';
    const description = [...meanings].map(([said, of]) => `--model ${of.join(', ')}: ${said}`).join('; ');
    const option = new Option(isBoolean ? flag : `${flag} <value>`, description);
    const byModel = new Map([...meanings].flatMap(([said, of]) => of.map((name): [string, string] => [name, said])));
    rarely(ofModels(option, byModel));
    command.addOption(
      isBoolean ? option : option.argParser(knowing(wordsOfSchema(schema), numberOrText, () => valueSchemaOf(schema))),
    );
  }
  return command;
}

/** How the command line calls a word of a request. */
export function flagOfWord(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The families' own words. */
export function familyWords(): readonly FamilyWord[] {
  const words = new Map<string, FamilyWord>();
  for (const { name, words: own } of families.all)
    for (const [key, schema] of Object.entries(own.shape)) {
      if (key in runWordsSchema.shape) continue;
      const found = words.get(key);
      const said = descriptionOf(schema as z.ZodType) ?? key;
      const meanings = new Map(found?.meanings);
      meanings.set(said, [...(meanings.get(said) ?? []), name]);
      words.set(key, {
        key,
        families: [...(found?.families ?? []), name],
        schema: found?.schema ?? (schema as z.ZodType),
        meanings,
      });
    }
  return [...words.values()];
}

function valueOf(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { readonly innerType?: z.ZodType };
  return innerType === undefined ? schema : valueOf(innerType);
}
