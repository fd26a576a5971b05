import { sha256Schema } from '@orchard/contracts';
import type { Garbage } from '@orchard/runs';
import { z } from 'zod';

/** What of runs nobody needs any more, by run and reason. */
export const leftoversSchema = z.strictObject({
  leftovers: z.array(
    z.strictObject({
      run: sha256Schema,
      why: z.string(),
      objects: z.int().min(1),
      bytes: z.int().min(0),
    }),
  ),
});

export type Leftovers = z.infer<typeof leftoversSchema>;

export function leftoversDocument(garbage: readonly Garbage[]): Leftovers {
  const groups = new Map<string, Leftovers['leftovers'][number]>();
  for (const { run, why, size } of garbage) {
    if (run === null) continue;
    const key = `${run} ${why}`;
    const { objects, bytes } = groups.get(key) ?? { objects: 0, bytes: 0 };
    groups.set(key, { run, why, objects: objects + 1, bytes: bytes + size });
  }
  return { leftovers: [...groups.values()] };
}
