import type { Command } from 'commander';
import type { Terminal } from '../output/terminal.js';
import { addAuditCommand } from './audit.js';
import { addLogsCommand, addOrderCommands, addRunsCommand, addStatusCommand, addWatchCommand } from './commands.js';
import { addDeleteCommand } from './delete.js';
import { addFetchCommand } from './fetch.js';
import { addGcCommand } from './gc.js';
import { addLoginCommand } from './login.js';
import { addRetentionCommand } from './retention.js';
import { addSubmitCommand } from './submit.js';
import { addWhoamiCommand } from './whoami.js';

/** Adds the commands that ask a coordinator rather than this machine. */
export function registerClientCommands(program: Command, terminal: Terminal): void {
  const add = [
    addLoginCommand,
    addWhoamiCommand,
    addSubmitCommand,
    addRunsCommand,
    addStatusCommand,
    addWatchCommand,
    addOrderCommands,
    addDeleteCommand,
    addFetchCommand,
    addLogsCommand,
    addGcCommand,
    addRetentionCommand,
    addAuditCommand,
  ];
  for (const addCommand of add) addCommand(program, terminal);
}
