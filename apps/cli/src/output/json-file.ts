import { readFile } from 'node:fs/promises';
import type { z } from 'zod';

/** What a file of JSON says; null where there is none, or one of another form, as other releases write it. */
export async function jsonIn<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}
