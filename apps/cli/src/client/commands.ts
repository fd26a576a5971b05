import type { Command } from 'commander';
import { messageOf, refuseTogether } from '../output/errors.js';
import { firstSaid } from '../options/flag-of-word.js';
import { wholeNumber } from '../options/values.js';
import {
  type AfterOptions,
  declareCommand,
  type AddCommand,
  type Place,
  type MakesOptions,
  type Declared,
  type Run,
} from '../options/add-command.js';
import { duration, moment, table } from '../output/figures.js';
import { ProgressDisplay } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { findLogin } from './config.js';
import { CoordinatorClient, type RunFilter } from './coordinator-client.js';
import type { RunOverview, RunStatus } from './documents.js';
import { costTables } from './costs.js';
import { execAtEnd } from './exec-at-end.js';
import { runEnded } from '../output/server-error.js';
import { describeHindrances, describeNotifications, describeRun, describeTrouble, progressOf } from './run-display.js';
import { headings } from '../options/help-places.js';
import { option, type Parsed } from '../options/option.js';

export const serverOption = (
  description = 'address of the coordinator (default: ORCHARD_SERVER, else that of orchard login)',
) => option('--server <url>', description).helpGroup(headings.run);

export type ServerOptions = Parsed<typeof serverOption>;

/** A command that asks a coordinator; `run` is called with its client before what every command is called with. */
export function declareServerCommand<const Places extends readonly Place[] = [], Make extends MakesOptions = () => []>(
  declared: Declared<Places, Make>,
  run: (client: CoordinatorClient, ...found: Parameters<Run<Places, Parsed<Make>>>) => unknown,
): AddCommand {
  const all = { ...declared, options: () => [...(declared.options?.() ?? []), serverOption()] };
  return declareCommand(all, async (...found: unknown[]) => {
    const [options, terminal] = found.slice(-3) as [ServerOptions, Terminal];
    await run(await connectTo(options, terminal), ...(found as Parameters<Run<Places, Parsed<Make>>>));
  });
}

/** Of commands that ask a file on this machine unless a coordinator is named. @param use what the cluster then does */
export const answeringServerOption = (use: string) =>
  serverOption(`${use}; NETWORK is the id of a run of this coordinator`);

/** @param otherwise what else can be done where no server is known, as a sentence after a space */
export async function connectTo(
  { server }: ServerOptions,
  terminal: Terminal,
  otherwise = '',
): Promise<CoordinatorClient> {
  return new CoordinatorClient(await findLogin(server, otherwise), (wait) => {
    if ('away' in wait) terminal.note(`orchard: ${wait.away} It answered before; asking again for a minute`);
    else terminal.note(`orchard: the coordinator is asked too often; asking again in ${duration(wait.seconds)}`);
  });
}

/** Shows a run until its end. @throws Refusal `run-ended` where that is not a network */
export async function watchRun(client: CoordinatorClient, id: string, terminal: Terminal): Promise<RunStatus> {
  return doneOrRefused(await followToEnd(client, id, terminal));
}

/** @throws Refusal `run-ended` */
function doneOrRefused(last: RunStatus): RunStatus {
  if (last.state !== 'done') throw runEnded(last.id, last.state, last.reason);
  return last;
}

/** Shows a run until its end, whatever that is. @throws Refusal `run-ended` where the run is gone */
async function followToEnd(client: CoordinatorClient, id: string, terminal: Terminal): Promise<RunStatus> {
  const display = new ProgressDisplay(terminal);
  const said = new Set<string>();
  let last: RunStatus | undefined;
  try {
    const away = (why: string): void => {
      terminal.note(`orchard: ${why} The run goes on; connecting again until it answers, for some minutes`);
    };
    for await (const status of client.follow(id, away)) {
      last = status;
      for (const line of describeHindrances(status)) {
        if (!said.has(line)) terminal.note(`orchard: ${line}`);
        said.add(line);
      }
      const progress = progressOf(status);
      if (progress !== null) display.show(progress);
    }
  } finally {
    display.stop();
  }
  if (last === undefined) throw runEnded(id, 'gone', null);
  return last;
}

const runsOptions = () => [
  option('--state <state>', 'only runs in this state: training, done, failed, cancelled, …'),
  option('--name <part>', 'only runs whose name has this in it'),
  option('--person <name>', 'only runs that this person submitted'),
  option('--label <key=value>', 'only runs with this label, or with this key'),
  option('--dataset <id>', 'only runs that use this data set'),
  option('--cost', 'with the thread time that each run took and what it stores, and the sums of each person'),
  option('--last <n>', 'only the newest', wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  serverOption(),
];

export const addRunsCommand = declareCommand(
  {
    name: 'runs',
    description: 'List the runs of a coordinator, or those in folders of this machine.',
    places: [
      ['[DIR...]', 'folders of runs on this machine, or folders of such folders (default: ask the coordinator)'],
    ],
    options: runsOptions,
    examples: [
      ['orchard runs --state failed', ''],
      ['orchard runs --person ann --label project=bikes --last 10', ''],
      ['orchard runs --cost --last 20', ''],
      ['orchard runs --json', 'for programs'],
      ['orchard runs .', 'runs below this folder'],
    ],
  },
  async (folders, options, terminal) => {
    if (folders.length > 0) return listFolders(folders, options, terminal);
    const client = await connectTo(options, terminal, ' Runs of this machine: orchard runs DIR.');
    const runs: RunOverview[] = [];
    const { state, person, name, label, dataset, cost, last = Infinity } = options;
    for await (const run of client.runs({ state, person, name, label, dataset, cost })) runs.push(run);
    runs.sort((a, b) => (a.submittedAt < b.submittedAt ? 1 : -1));
    const shown = runs.slice(0, last);
    if (cost === true) {
      terminal.result(shown.length === 0 ? 'no runs' : costTables(shown, Date.now()));
      return terminal.document({ runs: shown });
    }
    const rows = shown.map(({ id, name = '', state, submittedAt, submittedBy = '', choice, labels = {} }) => [
      id.slice(0, 12),
      name,
      state,
      moment(submittedAt),
      submittedBy,
      wantedOf(choice),
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
    ]);
    const head = ['run', 'name', 'state', 'submitted (UTC)', 'by', 'wanted', 'labels'];
    terminal.result(shown.length === 0 ? 'no runs' : table(head, rows));
    terminal.document({ runs: shown });
  },
);

const filtersOfCluster = ['person', 'name', 'label', 'dataset', 'cost', 'last'] as const;

/** Runs of folders, as `orchard serve` shows them; what cannot be read is reported and left out. */
async function listFolders(
  folders: readonly string[],
  { server, state, person, name, label, dataset, cost, last }: ServerOptions & RunFilter & { readonly last?: number },
  terminal: Terminal,
): Promise<void> {
  const where = 'orchard runs';
  if (server !== undefined) refuseTogether('--server', 'folders', { where });
  const ofCluster = firstSaid({ person, name, label, dataset, cost, last }, filtersOfCluster);
  const expected = 'the runs of a coordinator, which alone have these';
  if (ofCluster !== null) refuseTogether(ofCluster, 'folders', { expected, where });
  // its libraries take longer to load than most commands to run
  const { LocalRuns } = await import('../run-folder/local-runs.js');
  const local = new LocalRuns(folders);
  const found = await local.folders();
  const leaveOut = (folder: string, why: string): [] => {
    terminal.note(`orchard: ${folder} is left out: ${why}`);
    return [];
  };
  const all = await Promise.all(
    found.map(async (one) =>
      'why' in one
        ? leaveOut(one.folder, one.why)
        : local.overview(one).then(
            (run) => [{ folder: one.folder, ...run }],
            (error: unknown) => leaveOut(one.folder, messageOf(error)),
          ),
    ),
  );
  const runs = all.flat().filter((run) => state === undefined || run.state === state);
  const rows = runs.map(({ folder, id, state, submittedAt, family, choice }) => [
    folder,
    id.slice(0, 12),
    state,
    moment(submittedAt),
    family,
    wantedOf(choice),
  ]);
  const head = ['folder', 'run', 'state', 'begun (UTC)', 'model', 'wanted'];
  terminal.result(runs.length === 0 ? 'no runs' : table(head, rows));
  terminal.document({ runs });
}

const wantedOf = (choice: Readonly<Record<string, unknown>>): string =>
  Object.entries(choice)
    .map(([name, value]) => (typeof value === 'boolean' ? `${value ? '' : 'no '}${name}` : String(value)))
    .join(', ');

/** The argument of commands about one run. */
export const runPlace = ['<RUN>', 'id of the run; its first digits are enough'] as const;

/** A command about one run, which is named by the first digits of its id. */
function declareRunCommand(
  name: string,
  description: string,
  act: (client: CoordinatorClient, id: string, terminal: Terminal) => Promise<void>,
  more: AfterOptions['lines'] = [],
): AddCommand {
  const examples = [[`orchard ${name} 3fa2c1`, ''] as const, ...more];
  return declareServerCommand({ name, description, places: [runPlace], examples }, async (client, run, _, terminal) =>
    act(client, await client.find(run), terminal),
  );
}

export const addStatusCommand = declareRunCommand(
  'status',
  'Print the progress of a run.',
  async (client, id, terminal) => show(await client.status(id), terminal),
);

const watchOptions = () => [
  option('--exec <command>', 'a shell command to run at the end, also of a run that failed or was cancelled'),
];

export const addWatchCommand = declareServerCommand(
  {
    name: 'watch',
    description: 'Follow a run to its end. Ctrl-C stops watching, not the run.',
    places: [runPlace],
    options: watchOptions,
    examples: [
      ['orchard watch 3fa2c1', ''],
      ['orchard watch 3fa2c1 --exec \'notify-send "$ORCHARD_RUN_NAME: $ORCHARD_RUN_STATE"\'', ''],
    ],
  },
  async (client, run, { exec }, terminal) => {
    const id = await client.find(run);
    if (exec === undefined) return show(await watchRun(client, id, terminal), terminal);
    const last = await followToEnd(client, id, terminal);
    await execAtEnd(exec, last, terminal);
    show(doneOrRefused(last), terminal);
  },
);

const orders = [
  ['cancel', 'Stop a run within seconds; finished work is kept.'],
  ['resume', 'Continue a cancelled or failed run; finished work is not repeated.'],
  ['pin', 'Keep a run from being deleted, by the retention of the coordinator and by hand.'],
  ['unpin', 'Take the pin from a run.'],
] as const;

export function addOrderCommands(program: Command, terminal: Terminal): void {
  for (const [what, description] of orders)
    declareRunCommand(what, description, async (client, id) => show(await client.order(id, what), terminal))(
      program,
      terminal,
    );
}

export const addLogsCommand = declareRunCommand(
  'logs',
  'Print what went wrong in a run: notices, failed tasks with reason and stack, and what its --notify address took.',
  async (client, run, terminal) => {
    const status = await client.status(run);
    const notifications = status.notify === undefined ? null : await client.notifications(run);
    terminal.result([describeTrouble(status), ...describeNotifications(notifications)].join('\n'));
    const { id, state, reason, notices, waits = [], quarantined, retrying = [] } = status;
    terminal.document({ id, state, reason, notices, waits, quarantined, retrying, notifications });
  },
  [['orchard replay 3fa2c1 train/17', 'run the task here; ORCHARD_STORE names the store']],
);

export function show(status: RunStatus, terminal: Terminal): void {
  terminal.result(describeRun(status));
  terminal.document(status);
}
