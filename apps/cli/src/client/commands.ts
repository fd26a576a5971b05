import { makeFolder } from '@orchard/storage';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { writeFailure } from '../disk-error.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { addChoiceOptions, trainingWords } from '../options/training-options.js';
import { duration, table } from '../output/figures.js';
import { ProgressDisplay } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { writeOutput } from '../write-output.js';
import { findLogin } from './config.js';
import { CoordinatorClient } from './coordinator-client.js';
import type { RunOverview, RunStatus } from './documents.js';
import { RunEndedError } from './errors.js';
import { describeRun, describeTrouble, progressOf } from './run-display.js';

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

/** Shows a run until its end. @throws RunEndedError where that is no network */
export async function watchRun(client: CoordinatorClient, id: string, terminal: Terminal): Promise<RunStatus> {
  const display = new ProgressDisplay(terminal);
  let last: RunStatus | undefined;
  for await (const status of client.follow(id)) {
    last = status;
    const progress = progressOf(status);
    if (progress !== null) display.show(progress);
  }
  if (last === undefined) throw new RunEndedError(id, 'gone', null);
  if (last.state !== 'done') throw new RunEndedError(id, last.state, last.reason);
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
      `${choice.selection}${choice.refit ? ', refitted' : ''}`,
    ]);
    terminal.result(runs.length === 0 ? 'no runs' : table(['run', 'state', 'submitted (UTC)', 'network'], rows));
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
    .addHelpText('after', examples([['orchard logs 3fa2c1', 'why a dimension was given up']]));
  addServerOptions(command).action(async (run: string, options: ServerOptions) => {
    const client = await connectTo(options, terminal);
    const status = await client.status(await client.find(run));
    terminal.result(describeTrouble(status));
    const { id, state, reason, notices, quarantined } = status;
    terminal.document({ id, state, reason, notices, quarantined });
  });
}

export function addFetchCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('fetch')
    .description('Fetch the network, summary and report of a finished run.')
    .argument('<RUN>', 'its id, or the first digits of it')
    .requiredOption('--out <dir>', 'the folder to write to');
  addServerOptions(addChoiceOptions(command))
    .addHelpText('after', examples([['orchard fetch 3fa2c1 --out run', 'the network that was last asked for']]))
    .action(async (run: string, options: ServerOptions & { out: string }) => {
      const client = await connectTo(options, terminal);
      const id = await client.find(run);
      const { select, refit } = trainingWords(options as unknown as Record<string, unknown>);
      const wanted = new URLSearchParams();
      if (select !== undefined) wanted.set('selection', select);
      if (refit !== undefined) wanted.set('refit', String(refit));
      const query = wanted.size === 0 ? '' : `?${wanted.toString()}`;
      await makeFolder(options.out).catch((cause: unknown) => {
        throw writeFailure(options.out, '--out', cause);
      });
      const files = { network: 'network.msgpack', summary: 'summary.json', report: 'report.html' } as const;
      const written: Record<string, string> = {};
      for (const [what, name] of Object.entries(files) as [keyof typeof files, string][]) {
        written[what] = join(options.out, name);
        const { body } = await client.file(id, what, query);
        await writeOutput(written[what], '--out', body as unknown as AsyncIterable<Uint8Array>);
      }
      terminal.result(Object.values(written).join('\n'));
      terminal.document({ id, ...written });
    });
}

export function show(status: RunStatus, terminal: Terminal): void {
  terminal.result(describeRun(status));
  terminal.document(status);
}
