import { readFileSync } from 'node:fs';
import { z } from 'zod';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** What the build makes of the types of the documents: the site has it as files. */
const file = new URL('../../dist/documents.json', import.meta.url);
let read: Readonly<Record<string, JsonSchema>> | undefined;
const made = new Map<string, z.ZodType>();

/** Of each command what it prints with `--json`, and of those that failed the `error`. */
export function documentSchemas(): Readonly<Record<string, JsonSchema>> {
  return (read ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, JsonSchema>);
}

/**
 * Compares what a command printed with `--json` with its schema: of a command that failed the error, and what it had
 * found before.
 *
 * @throws Error where it differs
 */
export function checkDocument(command: string, document: object): void {
  const { error, ...found } = document as { readonly error?: unknown };
  if (error !== undefined) check(command, 'error', { error });
  if (error === undefined || Object.keys(found).length > 0) check(command, command, found);
}

function check(command: string, name: string, document: object): void {
  const schema = documentSchemas()[name];
  if (schema === undefined)
    throw new Error(`orchard ${command} --json has no schema: add the command to infra/programs/json-documents.mjs`);
  let type = made.get(name);
  if (type === undefined) {
    type = z.fromJSONSchema(schema);
    made.set(name, type);
  }
  const { error } = type.safeParse(document);
  if (error !== undefined)
    throw new Error(
      `orchard ${command} --json printed what its schema does not allow (npm run build makes the schemas): ` +
        z.prettifyError(error),
    );
}
