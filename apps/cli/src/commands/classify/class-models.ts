import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOfClass, type ClassModel } from '@orchard/analysis';
import { parseContract } from '@orchard/contracts';
import { z } from 'zod';
import { UsageError } from '../../output/errors.js';
import { loadNetwork } from '../../rows/load-network.js';

export interface ClassModels {
  /** The column of classes. */
  readonly by: string;
  /** Of the same columns, in the order of their labels. */
  readonly classes: readonly ClassModel[];
}

const fileName = 'classes.json';

const documentSchema = z.strictObject({
  by: z.string(),
  classes: z.array(z.strictObject({ label: z.string(), rows: z.int().min(1), folder: z.string() })).min(2),
});

/** Writes which folder has the model of which class. */
export async function keepClasses(folder: string, { by, classes }: ClassModels): Promise<void> {
  const listed = classes.map(({ label, rows }, index) => ({ label, rows, folder: nameOfClass(index) }));
  await writeFile(join(folder, fileName), `${JSON.stringify({ by, classes: listed }, null, 2)}\n`);
}

/** @throws UsageError where the folder has no models of classes */
export async function openClasses(folder: string): Promise<ClassModels> {
  const path = join(folder, fileName);
  if (!existsSync(path))
    throw new UsageError({
      got: `${folder}, in which there is no ${fileName}`,
      expected: 'the folder of models of classes',
      where: '--with',
      remedy: 'orchard classify DATA --by COLUMN --out FOLDER trains them.',
    });
  const { by, classes } = parseContract(documentSchema, JSON.parse(await readFile(path, 'utf8')), path);
  const opened: ClassModel[] = [];
  for (const { label, rows, folder: own } of classes) {
    const { network } = await loadNetwork(join(folder, own), '--with');
    opened.push({ label, rows, model: network });
  }
  return { by, classes: opened };
}
