import type { Command } from 'commander';
import { registerClientCommands } from './client/register.js';
import { addAssociationsCommand } from './commands/associations.js';
import { addCompareCommand } from './commands/compare.js';
import { addCompareModelsCommand } from './commands/compare-models.js';
import { addCompleteCommand } from './commands/complete.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDemoCommand } from './commands/demo.js';
import { addDescribeCommand } from './commands/describe.js';
import { addEvaluateCommand } from './commands/evaluate.js';
import { addHelpCommand } from './commands/help.js';
import { addImportanceCommand } from './commands/importance.js';
import { addInspectCommand } from './commands/inspect.js';
import { addRepairCommand } from './commands/repair.js';
import { addManCommand } from './commands/man.js';
import { addOnlineCommand } from './commands/online.js';
import { addReplayCommand } from './commands/replay.js';
import { addSampleCommand } from './commands/sample.js';
import { addSelectCommand } from './commands/select.js';
import { addServeCommand } from './commands/serve.js';
import { addTrainCommand } from './commands/train.js';
import { ConfiguredCommand } from './configuration/configured-command.js';
import { colours } from './output/colours.js';
import type { Streams, Terminal } from './output/terminal.js';
import { installedVersion } from './version.js';

/** The whole command line; every command is added by its own file. Errors are thrown, never printed here. */
export function createProgram(terminal: Terminal, streams: Streams): Command {
  const program = new ConfiguredCommand('orchard', terminal)
    .description(
      'Trains models of boosted trees on tables and on rows of bits, and asks them: likelihoods, samples, completions, explanations.',
    )
    .version(installedVersion, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
      outputError: () => undefined,
      getOutHasColors: () => terminal.coloured.stdout,
      getErrHasColors: () => terminal.coloured.stderr,
    })
    .configureHelp({ styleTitle: colours.bold })
    .addHelpText(
      'after',
      `
Examples:
  $ orchard demo                                             digits drawn by a network trained here, in minutes
  $ orchard train rows.csv --out run                         a network of your own rows
  $ orchard evaluate run/network.msgpack other.csv           how likely other rows are
  $ orchard sample run/network.msgpack --count 10 --out new.csv
  $ orchard submit rows.csv --watch                          the same on a cluster, after orchard login

Every command has --help with examples; those that do something have --json, one JSON document on standard output, and --quiet.
Exit codes: 0 done, 1 failed, 2 the command line or its input was refused, 130 interrupted.`,
    );
  const add = [
    addDescribeCommand,
    addTrainCommand,
    addEvaluateCommand,
    addSampleCommand,
    addCompleteCommand,
    addCompareCommand,
    addCompareModelsCommand,
    addImportanceCommand,
    addAssociationsCommand,
    addInspectCommand,
    addSelectCommand,
    addOnlineCommand,
    addDemoCommand,
    addReplayCommand,
    addRepairCommand,
    addServeCommand,
  ];
  for (const addCommand of add) addCommand(program, terminal);
  registerClientCommands(program, terminal);
  addHelpCommand(program);
  addCompletionCommand(program, terminal);
  addManCommand(program, terminal);
  return program;
}
