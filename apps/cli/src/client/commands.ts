import { Option, type Command } from 'commander';
import { addOutputOptions, examples } from '../options/output-options.js';
import { duration, table } from '../output/figures.js';
import { ProgressDisplay } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { findLogin } from './config.js';
import { CoordinatorClient } from './coordinator-client.js';
import type { RunOverview, RunStatus } from './documents.js';
import { runEnded } from './errors.js';
import { describeHindrances, describeRun, describeTrouble, progressOf } from './run-display.js';

export interface ServerOptions {
  readonly server?: string;
}

export function addServerOptions(command: Command): Command {
  command.addOption(
    new Option('--server <url>', 'the coordinator (default: ORCHARD_SERVER, else that of orchard login)'),
  );
  return addOutputOptions(command);
}

export async function connectTo({ server }: ServerOptions, terminal: Terminal): Promise<CoordinatorClient> {
  return new CoordinatorClient(await findLogin(server), (seconds) =>
    terminal.note(`orchard: the coordinator is asked too often; asking again in ${duration(seconds)}`),
  );
}

/** Shows a run until its end. @throws Refusal `run-ended` where that is no network */
export async function watchRun(client: CoordinatorClient, id: string, terminal: Terminal): Promise<RunStatus> {
  const display = new ProgressDisplay(terminal);
  const said = new Set<string>();
  let last: RunStatus | undefined;
  for await (const status of client.follow(id)) {
    last = status;
    for (const line of describeHindrances(status)) {
      if (!said.has(line)) terminal.note(`orchard: ${line}`);
      said.add(line);
    }
    const progress = progressOf(status);
    if (progress !== null) display.show(progress);
  }
  if (last === undefined) throw runEnded(id, 'gone', null);
  if (last.state !== 'done') throw runEnded(id, last.state, last.reason);
  return last;
}

export function addRunsCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('runs')
    .description('List the runs of a coordinator.')
    .option('--state <state>', 'only runs in this state, as training, done, failed or cancelled')
    .addHelpText(
      'after',
      examples([
        ['orchard runs --state failed', 'which runs need a look'],
        ['orchard runs --json', 'for programs'],
      ]),
    );
  addServerOptions(command).action(async (options: ServerOptions & { state?: string }) => {
    const client = await connectTo(options, terminal);
    const runs: RunOverview[] = [];
    for await (const run of client.runs(options.state)) runs.push(run);
    const rows = runs.map(({ id, state, submittedAt, choice }) => [
      id.slice(0, 12),
      state,
      submittedAt.slice(0, 16).replace('T', ' '),
      Object.entries(choice)
        .map(([name, value]) => (typeof value === 'boolean' ? `${value ? '' : 'no '}${name}` : String(value)))
        .join(', '),
    ]);
    terminal.result(runs.length === 0 ? 'no runs' : table(['run', 'state', 'submitted (UTC)', 'wanted'], rows));
    terminal.document({ runs });
  });
}

export function addStatusCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('status')
    .description('How a run is getting on.')
    .argument('<RUN>', 'its id, or the first digits of it')
    .addHelpText('after', examples([['orchard status 3fa2c1', 'its stages, likelihood and time left']]));
  addServerOptions(command).action(async (run: string, options: ServerOptions) => {
    const client = await connectTo(options, terminal);
    show(await client.status(await client.find(run)), terminal);
  });
}

export function addWatchCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('watch')
    .description('Follow a run to its end; leaving does not stop it.')
    .argument('<RUN>', 'its id, or the first digits of it')
    .addHelpText('after', examples([['orchard watch 3fa2c1', 'a progress bar until it is done']]));
  addServerOptions(command).action(async (run: string, options: ServerOptions) => {
    const client = await connectTo(options, terminal);
    show(await watchRun(client, await client.find(run), terminal), terminal);
  });
}

export function addOrderCommands(program: Command, terminal: Terminal): void {
  const orders = {
    cancel: 'Stop all work on a run within seconds; what is done is kept.',
    resume: 'Go on with a cancelled or failed run, doing only what is missing.',
  } as const;
  for (const [order, description] of Object.entries(orders) as [keyof typeof orders, string][]) {
    const command = program
      .command(order)
      .description(description)
      .argument('<RUN>', 'its id, or the first digits of it')
      .addHelpText('after', examples([[`orchard ${order} 3fa2c1`, 'by the first digits of its id']]));
    addServerOptions(command).action(async (run: string, options: ServerOptions) => {
      const client = await connectTo(options, terminal);
      show(await client.order(await client.find(run), order), terminal);
    });
  }
}

export function addLogsCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('logs')
    .description('What went wrong in a run: notices, and what was given up with its reason and stack.')
    .argument('<RUN>', 'its id, or the first digits of it')
    .addHelpText(
      'after',
      examples([
        ['orchard logs 3fa2c1', 'why a dimension was given up'],
        ['orchard replay 3fa2c1 train/17', 'to see it fail here, where ORCHARD_STORE names the store'],
      ]),
    );
  addServerOptions(command).action(async (run: string, options: ServerOptions) => {
    const client = await connectTo(options, terminal);
    const status = await client.status(await client.find(run));
    terminal.result(describeTrouble(status));
    const { id, state, reason, notices, waits = [], quarantined, retrying = [] } = status;
    terminal.document({ id, state, reason, notices, waits, quarantined, retrying });
  });
}

export function show(status: RunStatus, terminal: Terminal): void {
  terminal.result(describeRun(status));
  terminal.document(status);
}
