import { bashCompletion } from './completion-bash.js';
import { fishCompletion } from './completion-fish.js';
import { zshCompletion } from './completion-zsh.js';
import type { Grammar } from './grammar.js';

/** The shells that a script can be written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A script that has a shell complete commands, options and their values. It starts no program: all words are in it. */
export function completionFor(shell: Shell, grammar: Grammar): string {
  return writers[shell](grammar);
}

const writers: Readonly<Record<Shell, (grammar: Grammar) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
