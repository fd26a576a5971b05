import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Resource, ResourceTemplate, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { networkFileName } from '@orchard/pipeline';
import { UsageError } from '../output/errors.js';
import { runFolders } from '../run-folder/local-runs.js';
import type { AllowedFolders } from './allowed-folders.js';
import type { AnsweringProcess } from './answering-process.js';
import { bounded } from './bounded.js';

const reportFileName = 'report.html';
/** Runs that are listed; others are read by their paths all the same. */
const MOST_LISTED = 100;
/** Bytes of a report that is handed over; a browser opens larger ones from the disk. */
const MOST_REPORT = 2 ** 21;

/** The path as in the URL of a file, which begins with a slash where drives have letters too. */
const uriOf = (kind: 'model' | 'report', folder: string): string =>
  `orchard://${kind}${pathToFileURL(folder).pathname}`;

/** Models and reports of the runs below the allowed folders. */
export class ModelResources {
  readonly templates: readonly ResourceTemplate[] = [
    {
      uriTemplate: 'orchard://model/{+path}',
      name: 'model',
      description: 'What a model is: its columns, likelihoods and settings, by the absolute path of its folder',
      mimeType: 'application/json',
    },
    {
      uriTemplate: 'orchard://report/{+path}',
      name: 'report',
      description: 'The report of a run, by the absolute path of its folder',
      mimeType: 'text/html',
    },
  ];

  constructor(
    private readonly folders: AllowedFolders,
    private readonly questions: AnsweringProcess,
  ) {}

  async list(): Promise<{ resources: Resource[]; _meta?: Record<string, unknown> }> {
    const found = await runFolders(this.folders.folders);
    const resources = found.slice(0, MOST_LISTED).flatMap((folder): Resource[] => {
      const name = basename(folder);
      const model = { uri: uriOf('model', folder), name: `model of ${name}`, mimeType: 'application/json' };
      const report = { uri: uriOf('report', folder), name: `report of ${name}`, mimeType: 'text/html' };
      return [
        ...(existsSync(join(folder, networkFileName)) ? [model] : []),
        ...(existsSync(join(folder, reportFileName)) ? [report] : []),
      ];
    });
    return found.length <= MOST_LISTED ? { resources } : { resources, _meta: { shown: MOST_LISTED, of: found.length } };
  }

  /** @param most characters of JSON. @throws Error with what to do */
  async read(uri: string, most: number, signal: AbortSignal): Promise<TextResourceContents> {
    const {
      protocol,
      host: kind,
      pathname,
    } = URL.canParse(uri) ? new URL(uri) : { protocol: '', host: '', pathname: '' };
    if (protocol !== 'orchard:' || (kind !== 'model' && kind !== 'report'))
      throw new UsageError({
        got: uri.slice(0, 200),
        expected: this.templates.map(({ uriTemplate }) => uriTemplate).join(' or '),
        remedy: 'Read one of the resources that are listed.',
      });
    const folder = await this.folders.toRead(fileURLToPath(`file://${pathname}`), uri);
    if (kind === 'report') return { uri, mimeType: 'text/html', text: await reportIn(folder) };
    const opened = await this.questions.ask('open', { model: folder }, { signal });
    const { shown, cut } = bounded({ ...opened, model: folder }, most);
    const text = JSON.stringify(cut.length === 0 ? shown : { ...(shown as object), cut });
    return { uri, mimeType: 'application/json', text };
  }
}

async function reportIn(folder: string): Promise<string> {
  const path = join(folder, reportFileName);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size <= MOST_REPORT) return readFile(path, 'utf8');
  throw new UsageError({
    got: size === undefined ? `no ${reportFileName} in ${folder}` : `${path} of ${String(size)} bytes`,
    expected: `a report of at most ${String(MOST_REPORT)} bytes`,
    remedy: size === undefined ? 'Train without no-report.' : 'Have the user open it in a browser.',
  });
}
