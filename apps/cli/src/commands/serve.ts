import { listenForInterruption } from '../output/interruption.js';
import { declareCommand } from '../options/add-command.js';
import { wholeNumber } from '../options/values.js';
import type { Terminal } from '../output/terminal.js';
import { option, type Parsed } from '../options/option.js';

const defaultPort = 8090;

const serveOptions = () => [
  option('--port <n>', 'port on 127.0.0.1; 0 takes a free one', wholeNumber(0, 65_535), defaultPort),
];

type ServeOptions = Parsed<typeof serveOptions>;

export const addServeCommand = declareCommand(
  {
    name: 'serve',
    description: 'Show runs of this machine in a browser: progress, reports, samples and answers of their models.',
    places: [['<DIR...>', 'folders of runs, or folders of such folders']],
    options: serveOptions,
    examples: [
      ['orchard serve run', 'one run'],
      ['orchard serve runs', 'every run below a folder'],
      ['orchard serve run-a run-b --port 0', 'two runs, on a free port'],
    ],
    notes: [
      'Prints the address to open. Only this machine can connect; nothing is changed; Ctrl-C ends it.',
      'From another machine: ssh -L 8090:127.0.0.1:8090 HOST',
    ],
  },
  serve,
);

async function serve(folders: readonly string[], { port }: ServeOptions, terminal: Terminal): Promise<void> {
  // its libraries take longer to load than most commands to run
  const [{ openLocalRuns }, { startLocalServer }] = await Promise.all([
    import('../run-folder/local-runs.js'),
    import('../serve/local-server.js'),
  ]);
  const runs = await openLocalRuns(folders);
  const server = await startLocalServer(runs, port);
  terminal.result(server.url);
  terminal.document({ url: server.url, folders });
  terminal.note(`orchard: shows ${folders.join(', ')}; Ctrl-C ends it`);
  await new Promise<void>((resolve) => {
    const interruption = listenForInterruption(() => {
      interruption.dispose();
      resolve();
    });
  });
  await server.close();
}
