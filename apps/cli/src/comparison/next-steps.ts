import { shellWord } from '@orchard/refusal';
import { ownCommand } from '../version.js';
import type { Entry } from './comparison-document.js';

/** What to do next with the best model. */
export function nextSteps(
  { contender, path }: Entry,
  { file, out }: { readonly file: string; readonly out: string | undefined },
): string[] {
  if (path !== null) {
    return [`Kept in ${out!}; the best is ${contender.name}:`, `  ${ownCommand} inspect ${shellWord(path)}`];
  }
  const data = file === '-' ? 'DATA' : shellWord(file);
  return [
    `Nothing was kept (--out DIR keeps all). The best is ${contender.name}; to have it of all rows, with the same options of the file:`,
    `  ${ownCommand} train ${data} ${contender.flags.map(shellWord).join(' ')} --out run`,
  ];
}
