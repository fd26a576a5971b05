import { join } from 'node:path';
import { isWholePage, modelSummarySchema, wantedSchema, type ModelSummary, type Wanted } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { hashOf } from '@orchard/model';
import { networkFileName } from '@orchard/pipeline';
import { makeFolder } from '@orchard/storage';
import { writeFailure } from '../output/disk-error.js';
import { trainingWords, choiceOptions } from '../options/training-flags.js';
import { outOption } from '../options/repeated-options.js';
import { writeOutput } from '../output/write-output.js';
import { bodyBytes } from './body-bytes.js';
import { declareServerCommand, runPlace } from './commands.js';
import type { CoordinatorClient } from './coordinator-client.js';
import { damagedDownload } from '../output/server-error.js';
import { needed } from '../options/option.js';

const files = { network: networkFileName, summary: 'summary.json', report: 'report.html' } as const;

type Downloads = Record<keyof typeof files, Uint8Array>;

const fetchOptions = () => [needed(outOption('-o, --out <dir>', 'folder to write to (required)')), ...choiceOptions()];

export const addFetchCommand = declareServerCommand(
  {
    name: 'fetch',
    description: 'Download the model, summary and report of a finished run.',
    places: [runPlace],
    options: fetchOptions,
    examples: [['orchard fetch 3fa2c1 --out run', '']],
  },
  async (client, run, options, terminal) => {
    const id = await client.find(run);
    const wanted = await wantedOf(client, id, options);
    await makeFolder(options.out).catch((cause: unknown) => {
      throw writeFailure(options.out, '--out', cause);
    });
    // nothing is written before all is there and is what was made
    const downloads = await download(client, id, wanted);
    const written = {} as Record<keyof typeof files, string>;
    for (const [what, name] of Object.entries(files) as [keyof typeof files, string][]) {
      written[what] = join(options.out, name);
      await writeOutput(written[what], '--out', downloads[what]);
    }
    terminal.result(Object.values(written).join('\n'));
    terminal.document({ id, ...written });
  },
);

/**
 * What is fetched, said in full: the three files are of one network even where another user asks for another one of
 * this run between the requests for them.
 */
async function wantedOf(client: CoordinatorClient, id: string, options: object): Promise<Wanted> {
  const { select, refit } = trainingWords(options);
  const { choice } = await client.status(id);
  return {
    ...wantedSchema.parse(choice),
    ...(select === undefined ? {} : { selection: select }),
    ...(refit === undefined ? {} : { refit }),
  };
}

/**
 * @throws Refusal `damaged-artefact` where network and summary are not of one another, the network cannot be opened, or
 *   the report has changed
 */
async function download(client: CoordinatorClient, id: string, wanted: Wanted): Promise<Downloads> {
  const get = async (what: keyof typeof files): Promise<Uint8Array> => bodyBytes(await client.file(id, what, wanted));
  const summary = await get('summary');
  const { sha256 } = summaryOf(summary, id).network;
  const network = await get('network');
  const hash = hashOf(network).digest('hex');
  if (hash !== sha256) throw damagedDownload(id, `a network of SHA-256 ${hash}`, `${sha256}, as its summary says`);
  try {
    families.openModel(network);
  } catch (cause) {
    throw damagedDownload(id, 'a network that cannot be opened', 'one that can', { cause });
  }
  const report = await get('report');
  if (!isWholePage(report))
    throw damagedDownload(id, 'a report that does not fit its checksum', 'the one that was written');
  return { network, summary, report };
}

function summaryOf(bytes: Uint8Array, id: string): ModelSummary {
  let summary: ModelSummary;
  try {
    summary = modelSummarySchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (cause) {
    throw damagedDownload(id, 'a summary that cannot be read', 'that of the run', { cause });
  }
  if (summary.runId === id) return summary;
  throw damagedDownload(id, `the summary of run ${summary.runId}`, 'that of the run');
}
