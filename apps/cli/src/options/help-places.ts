import type { Option } from 'commander';

/** The headings that options stand under, in the order in which help has them. */
export const headings = {
  own: 'Options:',
  data: 'Data:',
  model: 'Model:',
  tuning: 'Tuning:',
  output: 'Output:',
  run: 'Run:',
} as const;

const rare = new WeakSet<Option>();
const meanings = new WeakMap<Option, ReadonlyMap<string, string>>();

/** Leaves an option to `--help-all` and the manual page. */
export function rarely<One extends Option>(option: One): One {
  rare.add(option);
  return option;
}

export function isRare(option: Option): boolean {
  return rare.has(option);
}

/** What the options of one model stand under. */
export function headingOf(model: string): string {
  return `Model ${model}:`;
}

/**
 * Says which models take an option, and what it means to each. One whose meaning is not the option's own description
 * stands below the model's name.
 */
export function ofModels(option: Option, meaningOf: ReadonlyMap<string, string>): Option {
  meanings.set(option, meaningOf);
  return option;
}

/** What an option means to each model that takes it; null for an option that has nothing to do with models. */
export function meaningsOf(option: Option): ReadonlyMap<string, string> | null {
  return meanings.get(option) ?? null;
}
