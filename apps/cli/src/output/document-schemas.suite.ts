import { readFileSync } from 'node:fs';
import { z } from 'zod';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** What each command prints with `--json`, as the build makes it of the types of the documents. */
const schemas = JSON.parse(readFileSync(new URL('../../dist/documents.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, JsonSchema>
>;
const made = new Map<string, z.ZodType>();

/** The commands that have a schema. */
export const commandsWithSchema: readonly string[] = Object.keys(schemas);

/**
 * Holds what a command printed with `--json` against its schema; what failed against that of errors, and what it came to
 * before it failed against its own.
 *
 * @throws Error where it is not as the schema says
 */
export function checkDocument(command: string, document: object): void {
  if (!('error' in document)) {
    check(command, command, document);
    return;
  }
  const { error, ...results } = document;
  check(command, 'error', { error });
  if (Object.keys(results).length > 0) check(command, command, results);
}

function check(command: string, name: string, document: object): void {
  const schema = schemas[name];
  if (schema === undefined)
    throw new Error(`orchard ${command} --json has no schema: infra/programs/json-documents.mjs`);
  let checked = made.get(name);
  if (checked === undefined) made.set(name, (checked = z.fromJSONSchema(schema)));
  const { error } = checked.safeParse(document);
  if (error !== undefined)
    throw new Error(`what orchard ${command} --json printed is not as its schema says: ${z.prettifyError(error)}`);
}
