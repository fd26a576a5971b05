import { listenForInterruption } from '../output/interruption.js';
import { declareCommand } from '../options/add-command.js';
import { repeatedly, wholeNumber } from '../options/values.js';
import type { Terminal } from '../output/terminal.js';
import { option, type Parsed } from '../options/option.js';

const defaultPort = 8091;

const mcpOptions = () => [
  option(
    '--allow <dir>',
    'a folder whose files may be read and written, may be repeated; links are followed (default: the current folder)',
    repeatedly(),
  ),
  option('--http', 'listen on 127.0.0.1 for streamable HTTP, at /mcp'),
  option('--port <n>', 'with --http: the port; 0 takes a free one', wholeNumber(0, 65_535), defaultPort),
  option(
    '--server <url>',
    'offer the runs of this coordinator too (default: ORCHARD_SERVER, else that of orchard login)',
  ),
];

type McpCommandOptions = Parsed<typeof mcpOptions>;

export const addMcpCommand = declareCommand(
  {
    name: 'mcp',
    description:
      'Let an assistant use Orchard by the Model Context Protocol: on standard input and output, until it ends, or on this machine by HTTP.',
    options: mcpOptions,
    examples: [
      ['orchard mcp', 'for an assistant that starts it'],
      ['orchard mcp --allow data --allow models', 'nothing else is read or written'],
      ['orchard mcp --http', 'print the address, and answer there until Ctrl-C'],
    ],
    notes: [
      'Tools are the commands (describe, train, outliers, check, evaluate, complete, sample, …), score-rows and complete-rows for rows',
      'that are given in the question, and help; resources are the models and reports of runs below the allowed folders.',
      'Nothing is deleted. A folder or file that exists is replaced only where the assistant asks for it.',
    ],
  },
  mcp,
);

async function mcp(options: McpCommandOptions, terminal: Terminal): Promise<void> {
  const { allow = ['.'], http, port, server } = options;
  // its libraries take longer to load than most commands to run
  const { serveMcp } = await import('../mcp/serve-mcp.js');
  const controller = new AbortController();
  const interruption = listenForInterruption(() => controller.abort());
  try {
    await serveMcp({
      program: process.argv[1]!,
      folders: allow,
      server,
      port: http === true ? port : null,
      onListening: (url) => {
        terminal.result(url);
        terminal.document({ url, folders: allow });
        terminal.note(`orchard: answers for ${allow.join(', ')}; Ctrl-C ends it`);
      },
      signal: controller.signal,
    });
  } finally {
    interruption.dispose();
    // a standard input that is open still would keep the process
    process.stdin.destroy();
  }
}
