import { families } from '@orchard/registry';
import { Help, Option, type Command, type HelpConfiguration } from 'commander';
import { headingOf, headings, isRare, meaningsOf } from '../options/help-places.js';

/** How `--help` shows a command; {@link addHelpAll} adds the option that shows the rest. */
export const groupedHelp = {
  visibleOptions: usualOptions,
  groupItems: inOrder,
  subcommandTerm: (command) => command.name(),
} satisfies HelpConfiguration;

/** Every option of a command, `--help` among them, in the order of its definition. */
export function everyOption(command: Command): Option[] {
  return new Help().visibleOptions(command);
}

/** What most people need; where `--model` was given before `--help`, with the options of that model. */
function usualOptions(command: Command): Option[] {
  const { model } = command.opts<{ readonly model?: string }>();
  const shown = everyOption(command).flatMap((option) => {
    const meaning = model === undefined ? undefined : meaningsOf(option)?.get(model);
    if (meaning !== undefined) return [notBelowAnother(ofModel(option, model!, meaning), model!)];
    const isOfOthers = model !== undefined && meaningsOf(option) !== null;
    return isRare(option) || isOfOthers ? [] : [option];
  });
  return grouped(shown);
}

/** All options; one that models have in ways of their own stands below each of them. */
export function optionsByModel(command: Command): Option[] {
  return grouped(
    everyOption(command).flatMap((option) => {
      const meanings = meaningsOf(option);
      if (meanings === null) return [option];
      return [...meanings].map(([model, meaning]) => ofModel(option, model, meaning)).filter(isFirst);
    }),
  );
}

/** Adds `--help-all` to a command whose help leaves something out. */
export function addHelpAll(command: Command): void {
  if (!command.options.some(isRare)) return;
  command.addOption(new Option('--help-all', 'print every option').helpGroup(headings.run));
  command.on('option:help-all', () => {
    command.configureHelp({ ...command.configureHelp(), visibleOptions: optionsByModel });
    command.help();
  });
}

/** The option itself where it means to the model what it says, else one below the name of the model. */
function ofModel(option: Option, model: string, meaning: string): Option {
  return meaning === option.description ? option : new Option(option.flags, meaning).helpGroup(headingOf(model));
}

/** The option below the name of the model that was asked for, where it stands below that of another. */
function notBelowAnother(option: Option, model: string): Option {
  const own = headingOf(model);
  const isBelowAnother = families.all.some(({ name }) => headingOf(name) === option.helpGroupHeading && name !== model);
  return isBelowAnother ? new Option(option.flags, option.description).helpGroup(own) : option;
}

const isFirst = (option: Option, at: number, all: readonly Option[]): boolean => all.indexOf(option) === at;

/** In the order of {@link headings}, models after what they share. */
function grouped(options: readonly Option[]): Option[] {
  const usual = Object.values(headings);
  const placeOf = ({ helpGroupHeading = headings.own }: Option): string => helpGroupHeading;
  const models = families.all.map(({ name }) => headingOf(name));
  const all = usual.flatMap((heading) => (heading === headings.tuning ? [heading, ...models] : [heading]));
  return options.toSorted((a, b) => all.indexOf(placeOf(a)) - all.indexOf(placeOf(b)));
}

/** Groups as they come, where commander has them in the order of definition. */
export function inOrder<T extends Command | Option>(
  _unsorted: T[],
  shown: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of shown) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item]);
  return groups;
}
