import { bytes, count, moment } from '../output/figures.js';
import { declareServerCommand } from './commands.js';
import type { CallerDocument } from './documents.js';

export const addWhoamiCommand = declareServerCommand(
  {
    name: 'whoami',
    description: 'Print your name and role on a coordinator, what you use there and what you may use.',
    examples: [['orchard whoami', '']],
  },
  async (client, _, terminal) => {
    const caller = await client.caller();
    terminal.result(describeCaller(caller, client.server));
    const { name, role, way, until, uses, limits } = caller;
    terminal.document({ server: client.server, name, role, way, until, uses, limits });
  },
);

function describeCaller({ name, role, until, uses, limits }: CallerDocument, server: string): string {
  const lines = [`${name}, role ${role}, at ${server}`];
  if (until !== null) lines.push(`the token is good until ${moment(until)} UTC`);
  if (uses === undefined || limits === undefined) return lines.join('\n');
  const line = (what: string, used: number | null, most: number | null, words: (value: number) => string): string =>
    `${what.padEnd(14)}${used === null ? 'not known now' : words(used)}, ${most === null ? 'no limit' : `at most ${words(most)}`}`;
  lines.push(
    line('open runs', uses.openRuns, limits.openRuns, count),
    line('threads', uses.threads, limits.threads, count),
    line('stored', uses.storedBytes, limits.storedBytes, bytes),
  );
  return lines.join('\n');
}
