import { sha256Schema } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import type { Garbage } from '@orchard/runs';
import { z } from 'zod';

/** What nobody needs any more: of runs, by run and reason; and the bits of data sets whose upload was cut off. */
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
});

export type Leftovers = z.infer<typeof leftoversSchema>;

export function leftoversDocument(garbage: readonly Garbage[]): Leftovers {
  const uploads: Leftovers['uploads'] = [];
  const groups = new Map<string, Leftovers['leftovers'][number]>();
  for (const { run, name, why, size } of garbage) {
    if (run === null) {
      uploads.push({ dataset: name.slice(artefactNames.datasets.length), bytes: size });
      continue;
    }
    const key = `${run} ${why}`;
    const { objects, bytes } = groups.get(key) ?? { objects: 0, bytes: 0 };
    groups.set(key, { run, why, objects: objects + 1, bytes: bytes + size });
  }
  return { leftovers: [...groups.values()], uploads };
}
