import type { Command } from 'commander';
import { registerClientCommands } from './client/register.js';
import { addAnswerCommand } from './commands/answer.js';
import { addAssociationsCommand } from './commands/associations.js';
import { addCheckCommand } from './commands/check.js';
import { addClassifyCommand } from './commands/classify.js';
import { addCompareCommand } from './commands/compare.js';
import { addCompactCommand } from './commands/compact.js';
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
import { addJudgeCommand } from './commands/judge.js';
import { addManCommand } from './commands/man.js';
import { addMcpCommand } from './commands/mcp.js';
import { addOutliersCommand } from './commands/outliers.js';
import { addOnlineCommand } from './commands/online.js';
import { addReplayCommand } from './commands/replay.js';
import { addSampleCommand } from './commands/sample.js';
import { addSelectCommand } from './commands/select.js';
import { addServeCommand } from './commands/serve.js';
import { addTrainCommand } from './commands/train.js';
import { addHelpAll, groupedHelp } from './command-line/grouped-help.js';
import { ConfiguredCommand } from './configuration/configured-command.js';
import { colours } from './output/colours.js';
import type { Streams, Terminal } from './output/terminal.js';
import { installedVersion } from './version.js';

/** The whole command line; every command is added by its own file. Errors are thrown, never printed here. */
export function createProgram(terminal: Terminal, streams: Streams): Command {
  const program = new ConfiguredCommand('orchard', terminal)
    .description(
      'Train models of tables; find outliers, fill in missing values, sample rows, show what depends on what.',
    )
    .version(installedVersion, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
      outputError: () => undefined,
      getOutHasColors: () => terminal.coloured.stdout,
      getErrHasColors: () => terminal.coloured.stderr,
    })
    .configureHelp({ styleTitle: colours.bold, ...groupedHelp })
    .addHelpText(
      'after',
      `
Examples:
  $ orchard demo --table                         try it on a made-up table, in seconds
  $ orchard train table.csv --out run            train a model
  $ orchard evaluate run other.csv --worst 10    find outliers
  $ orchard complete run gaps.csv                fill in missing values
  $ orchard sample run --count 10                sample rows
  $ orchard importance run                       show what depends on what

Every command has --help; --json prints one JSON document for programs.
Exit codes: 0 done, 1 failed, 2 refused command line or input, 3 a check found something, 130 interrupted.`,
    );
  const groups = {
    'Train:': [
      addDescribeCommand,
      addTrainCommand,
      addOutliersCommand,
      addCheckCommand,
      addClassifyCommand,
      addCompareModelsCommand,
      addOnlineCommand,
      addDemoCommand,
    ],
    'Use a model:': [
      addEvaluateCommand,
      addCompleteCommand,
      addSampleCommand,
      addJudgeCommand,
      addImportanceCommand,
      addAssociationsCommand,
      addCompareCommand,
      addInspectCommand,
      addCompactCommand,
    ],
    'Runs on this machine:': [addServeCommand, addSelectCommand, addRepairCommand, addReplayCommand],
  };
  for (const [heading, add] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const addCommand of add) addCommand(program, terminal);
  }
  program.commandsGroup('Runs on a cluster:');
  registerClientCommands(program, terminal);
  program.commandsGroup('For other programs:');
  addMcpCommand(program, terminal);
  addAnswerCommand(program);
  program.commandsGroup('Help:');
  addHelpCommand(program);
  addCompletionCommand(program, terminal);
  addManCommand(program, terminal);
  for (const command of program.commands) addHelpAll(command);
  return program;
}
