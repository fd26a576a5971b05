import type { Command } from 'commander';
import { addHelpAll, groupedHelp } from './command-line/grouped-help.js';
import { ConfiguredCommand } from './options/configured-command.js';
import { addExamples, type AddCommand } from './options/add-command.js';
import { colours } from './output/colours.js';
import { refuseOwnInput } from './options/refuse-own-input.js';
import type { Streams, Terminal } from './output/terminal.js';
import { installedVersion } from './output/version.js';

/** By their names the commands of a group; several may be added together. */
type CommandGroup = Readonly<Record<string, () => Promise<AddCommand>>>;

const orders = (): Promise<AddCommand> => import('./client/commands.js').then((file) => file.addOrderCommands);

/** Every command with what adds it, which is read where the command is called or all are shown. */
const groups: Readonly<Record<string, CommandGroup>> = {
  'Train:': {
    describe: () => import('./commands/describe.js').then((file) => file.addDescribeCommand),
    train: () => import('./commands/train/train.js').then((file) => file.addTrainCommand),
    outliers: () => import('./commands/evaluate/outliers.js').then((file) => file.addOutliersCommand),
    check: () => import('./commands/check/check.js').then((file) => file.addCheckCommand),
    classify: () => import('./commands/classify/classify.js').then((file) => file.addClassifyCommand),
    'compare-models': () =>
      import('./commands/compare-models/compare-models.js').then((file) => file.addCompareModelsCommand),
    online: () => import('./commands/online/online.js').then((file) => file.addOnlineCommand),
    demo: () => import('./commands/demo/demo.js').then((file) => file.addDemoCommand),
  },
  'Use a model:': {
    evaluate: () => import('./commands/evaluate/evaluate.js').then((file) => file.addEvaluateCommand),
    complete: () => import('./commands/complete/complete.js').then((file) => file.addCompleteCommand),
    sample: () => import('./commands/sample/sample.js').then((file) => file.addSampleCommand),
    judge: () => import('./commands/judge/judge.js').then((file) => file.addJudgeCommand),
    importance: () => import('./commands/importance/importance.js').then((file) => file.addImportanceCommand),
    associations: () => import('./commands/associations.js').then((file) => file.addAssociationsCommand),
    compare: () => import('./commands/compare.js').then((file) => file.addCompareCommand),
    inspect: () => import('./commands/inspect.js').then((file) => file.addInspectCommand),
    compact: () => import('./commands/compact.js').then((file) => file.addCompactCommand),
  },
  'Runs on this machine:': {
    serve: () => import('./commands/serve.js').then((file) => file.addServeCommand),
    select: () => import('./commands/select.js').then((file) => file.addSelectCommand),
    repair: () => import('./commands/repair.js').then((file) => file.addRepairCommand),
    replay: () => import('./commands/replay.js').then((file) => file.addReplayCommand),
  },
  'Runs on a cluster:': {
    login: () => import('./client/login.js').then((file) => file.addLoginCommand),
    whoami: () => import('./client/whoami.js').then((file) => file.addWhoamiCommand),
    submit: () => import('./client/submit.js').then((file) => file.addSubmitCommand),
    runs: () => import('./client/commands.js').then((file) => file.addRunsCommand),
    status: () => import('./client/commands.js').then((file) => file.addStatusCommand),
    watch: () => import('./client/commands.js').then((file) => file.addWatchCommand),
    cancel: orders,
    resume: orders,
    pin: orders,
    unpin: orders,
    delete: () => import('./client/delete.js').then((file) => file.addDeleteCommand),
    fetch: () => import('./client/fetch.js').then((file) => file.addFetchCommand),
    logs: () => import('./client/commands.js').then((file) => file.addLogsCommand),
    gc: () => import('./client/gc.js').then((file) => file.addGcCommand),
    retention: () => import('./client/retention.js').then((file) => file.addRetentionCommand),
    audit: () => import('./client/audit.js').then((file) => file.addAuditCommand),
  },
  'For other programs:': {
    mcp: () => import('./commands/mcp.js').then((file) => file.addMcpCommand),
    answer: () => import('./commands/answer.js').then((file) => file.addAnswerCommand),
  },
  'Help:': {
    help: () => import('./commands/help.js').then((file) => file.addHelpCommand),
    completion: () => import('./commands/completion.js').then((file) => file.addCompletionCommand),
    man: () => import('./commands/man.js').then((file) => file.addManCommand),
  },
};

/**
 * The whole command line; every command is added by its own file. Errors are thrown, never printed here.
 *
 * @param only this command, where there is one of that name and it does not show the others: reading the files of all
 *   is a third of a start
 */
export async function createProgram(terminal: Terminal, streams: Streams, only?: string): Promise<Command> {
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
    .hook('preAction', (_, command) => {
      refuseOwnInput(command);
    });
  addExamples(
    program,
    [
      ['orchard demo --table', 'try it on a made-up table, in seconds'],
      ['orchard train table.csv --out run', 'train a model'],
      ['orchard evaluate run other.csv --worst 10', 'find outliers'],
      ['orchard complete run gaps.csv', 'fill in missing values'],
      ['orchard sample run --count 10', 'sample rows'],
      ['orchard importance run', 'show what depends on what'],
    ],
    'Every command has --help; --json prints one JSON document for programs.',
    'Exit codes: 0 done, 1 failed, 2 refused command line or input, 3 a check found something, 130 interrupted.',
  );
  const alone = Object.entries(groups).some(([heading, own]) => heading !== 'Help:' && Object.hasOwn(own, only ?? ''));
  for (const [heading, commands] of Object.entries(groups)) {
    const wanted = Object.entries(commands).filter(([name]) => !alone || name === only);
    const files = new Set(wanted.map(([, read]) => read));
    program.commandsGroup(heading);
    for (const add of await Promise.all([...files].map((read) => read()))) add(program, terminal);
  }
  for (const command of program.commands) addHelpAll(command);
  return program;
}
