import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { findLogin } from '../client/config.js';
import { AllowedFolders } from './allowed-folders.js';
import { AnsweringProcess } from './answering-process.js';
import { ModelResources } from './model-resources.js';
import { ProcessPool } from './process-pool.js';
import { serveHttp } from './serve-http.js';
import { createMcpServer } from './server.js';
import { commandGrammar, Tools } from './tools.js';

/** Commands that run at a time, of all clients: each may take all cores, and the rows of a file in memory. */
const MOST_COMMANDS = 2;

export interface McpOptions {
  /** The command line's own file, which is started to compute. */
  readonly program: string;
  readonly folders: readonly string[];
  /** Of a coordinator. */
  readonly server: string | undefined;
  /** Of 127.0.0.1; null where standard input and output are spoken on. */
  readonly port: number | null;
  readonly onListening: (url: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Serves until the signal is aborted, or standard input ends.
 *
 * @throws UsageError for folders and addresses that are none
 */
export async function serveMcp({ program, folders, server, port, onListening, signal }: McpOptions): Promise<void> {
  const allowed = new AllowedFolders(folders);
  const withCluster = await findLogin(server).then(
    () => true,
    (error: unknown) => {
      if (server !== undefined) throw error;
      return false;
    },
  );
  const environment = server === undefined ? process.env : { ...process.env, ORCHARD_SERVER: server };
  const running: AnsweringProcess[] = [];
  const newProcess = (): AnsweringProcess => {
    const started = new AnsweringProcess(program, allowed.first, environment);
    running.push(started);
    return started;
  };
  const questions = newProcess();
  const commands = new ProcessPool(MOST_COMMANDS, newProcess);
  const tools = new Tools({ grammar: await commandGrammar(), folders: allowed, withCluster, questions, commands });
  const resources = new ModelResources(allowed, questions);
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
    if (port === null) process.stdin.once('end', resolve).once('close', resolve);
  });
  try {
    if (port === null) {
      await createMcpServer(tools, resources).connect(new StdioServerTransport());
      await ended;
    } else {
      const http = await serveHttp(() => createMcpServer(tools, resources), port);
      onListening(http.url);
      await ended;
      await http.close();
    }
  } finally {
    for (const one of running) one.close();
  }
}
