import { sha256Schema } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import type { Garbage } from '@orchard/runs';
import { z } from 'zod';

const DAY = 86_400;

export const garbageQuerySchema = z.strictObject({
  olderThanSeconds: z
    .int()
    .min(0)
    .max(3650 * DAY)
    .default(DAY)
    .describe('what was stored later is left alone: a client may be about to submit a run with it'),
  datasets: z.boolean().default(false).describe('whether registered data sets that no run needs are among it'),
});

/**
 * What nothing needs any more: of runs, by run and reason; the bits of data sets whose upload was cut off; and, when
 * asked for, data sets.
 */
export const leftoversSchema = z.strictObject({
  leftovers: z.array(
    z.strictObject({
      run: sha256Schema,
      why: z.string(),
      objects: z.int().min(1),
      bytes: z.int().min(0),
    }),
  ),
  uploads: z.array(z.strictObject({ dataset: sha256Schema, bytes: z.int().min(0) })),
  datasets: z.array(
    z.strictObject({
      id: sha256Schema,
      rows: z.int().min(1),
      dimensions: z.int().min(1),
      bytes: z.int().min(0),
    }),
  ),
});

export type Leftovers = z.infer<typeof leftoversSchema>;

export function leftoversDocument(garbage: readonly Garbage[]): Leftovers {
  const uploads: Leftovers['uploads'] = [];
  const datasets: Leftovers['datasets'] = [];
  const groups = new Map<string, Leftovers['leftovers'][number]>();
  for (const { run, dataset, name, why, size } of garbage) {
    if (dataset !== null) {
      const { id, rows, dimensions } = dataset;
      datasets.push({ id, rows, dimensions, bytes: size });
      continue;
    }
    if (run === null) {
      uploads.push({ dataset: name.slice(artefactNames.datasets.length), bytes: size });
      continue;
    }
    const key = `${run} ${why}`;
    const { objects, bytes } = groups.get(key) ?? { objects: 0, bytes: 0 };
    groups.set(key, { run, why, objects: objects + 1, bytes: bytes + size });
  }
  return { leftovers: [...groups.values()], uploads, datasets };
}
