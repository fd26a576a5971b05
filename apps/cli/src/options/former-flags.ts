import type { Command, Option } from 'commander';

const presentForms = new WeakMap<Option, (value: unknown) => string>();

/**
 * An option that another one has replaced: answered for one release more, and left out of help and completions.
 *
 * @param presentForm what is to be written instead
 */
export function formerly(option: Option, presentForm: (value: unknown) => string): Option {
  presentForms.set(option, presentForm);
  return option.hideHelp();
}

/** A line for each option of a command that was given in its former form. */
export function formerFlagsOf(command: Command): string[] {
  return command.options.flatMap((option) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    const presentForm = presentForms.get(option);
    if (presentForm === undefined || value === undefined) return [];
    return [`${option.long!} is now ${presentForm(value)}; this release still answers the former form`];
  });
}
