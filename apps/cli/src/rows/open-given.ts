import type { RowFile } from '@orchard/dataset';
import { openRowsAt } from '@orchard/pipeline';
import { isRemote } from '@orchard/storage';
import { z } from 'zod';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../output/errors.js';
import { bytes } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { showReading } from './show-reading.js';

/** Where buckets are, by the variables of a cluster's programs; credentials are found as the AWS tools find theirs. */
const environmentSchema = z.object({
  ORCHARD_S3_ENDPOINT: z.string().min(1).optional().catch(undefined),
  ORCHARD_S3_REGION: z.string().min(1).optional().catch(undefined),
  ORCHARD_S3_PATH_STYLE: z.stringbool().optional().catch(undefined),
});

/** Opens rows wherever they lie, for every command. Copies of what lies elsewhere are removed when it is closed. */
export async function openGiven(given: string, terminal?: Terminal): Promise<RowFile> {
  const environment = environmentSchema.parse(process.env);
  let copied = 0;
  const file = await openRowsAt(given, {
    s3: {
      ...(environment.ORCHARD_S3_ENDPOINT !== undefined && { endpoint: environment.ORCHARD_S3_ENDPOINT }),
      ...(environment.ORCHARD_S3_REGION !== undefined && { region: environment.ORCHARD_S3_REGION }),
      ...(environment.ORCHARD_S3_PATH_STYLE !== undefined && { pathStyle: environment.ORCHARD_S3_PATH_STYLE }),
    },
    onProgress: ({ name, bytes: come, size }) => {
      copied = come;
      terminal?.status(`${name}: ${bytes(come)}${size === null ? '' : ` of ${bytes(size)}`}`);
    },
  }).catch(async (error: unknown) => {
    const store = await stat(join(given, 'store')).catch(() => null);
    throw store?.isDirectory() === true ? runForRows(given, error) : error;
  });
  if (isRemote(given)) terminal?.note(`orchard: ${file.name}: ${bytes(copied)} were copied to a temporary folder`);
  return terminal === undefined ? file : showReading(file, terminal);
}

/** A run was given where rows are read: its files are of several kinds, and none of them holds rows. */
function runForRows(given: string, cause: unknown): UsageError {
  return new UsageError(
    {
      got: `${given}, a folder that orchard train wrote`,
      expected: 'a file of rows, or a folder of such files',
      remedy: `Give the rows. orchard train FILE --out ${given} continues the run of that FILE; orchard evaluate, sample and complete ask its model.`,
    },
    { cause },
  );
}
