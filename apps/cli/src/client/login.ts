import { createInterface } from 'node:readline/promises';
import { writeFailure } from '../output/disk-error.js';
import { declareCommand } from '../options/add-command.js';
import type { Terminal } from '../output/terminal.js';
import { serverOption } from './commands.js';
import { findLogin, loginPath, saveLogin } from './config.js';
import { CoordinatorClient } from './coordinator-client.js';

/**
 * Remembers a coordinator and its token. The token comes from ORCHARD_TOKEN or standard input: on a command line others
 * could read it.
 */
export const addLoginCommand = declareCommand(
  {
    name: 'login',
    description: 'Remember a coordinator and its token, from ORCHARD_TOKEN or standard input.',
    options: () => [serverOption()],
    examples: [['orchard login --server http://127.0.0.1:8080 < token.txt', '']],
  },
  async (options, terminal) => {
    const { server, token } = await findLogin(options.server);
    const shown = token ?? (await askForToken(terminal));
    const login = { server, token: shown === '' ? null : shown };
    // whether the token is known there shows now rather than with the first run
    await new CoordinatorClient(login).runs().next();
    const path = await saveLogin(login).catch((cause: unknown) => {
      throw writeFailure(loginPath(), 'the login', cause);
    });
    terminal.result(`logged in to ${server}; remembered in ${path}`);
    terminal.document({ server, path });
  },
);

async function askForToken(terminal: Terminal): Promise<string> {
  if (process.stdin.isTTY) terminal.note('orchard: paste the token and press Enter (an empty line for none):');
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
  }
}
