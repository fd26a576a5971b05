import { firstAndMore, Refusal } from '@orchard/refusal';
import type { z } from 'zod';

/**
 * Parses `value`, or says what is wrong with it in one sentence.
 *
 * @param what names the whole document in messages, e.g. `run request`
 * @throws Refusal `invalid-contract` about the first issue; expected is the description of the schema's field
 */
export function parseContract<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const names = firstAndMore(
      issue.keys.map((key) => JSON.stringify(key.slice(0, 60))),
      5,
    );
    const known = knownKeys(schemaAt(schema, issue.path));
    const remedy = `Remove ${names}, or correct the spelling.`;
    throw new Refusal('invalid-contract', {
      got: `unknown ${names}`,
      expected: known,
      where: where(what, issue.path),
      remedy,
    });
  }
  const place = where(what, issue.path);
  const name = issue.path.length === 0 ? (what.startsWith('-') ? what : `the ${what}`) : `"${issue.path.join('.')}"`;
  // of a word in a list, what the list is described as: the parser's own message is a list of words in its spelling
  const list = issue.code === 'invalid_value' ? schemaAt(schema, issue.path.slice(0, -1)).description : undefined;
  const wanted = schemaAt(schema, issue.path);
  const object = wanted.shape === undefined ? undefined : `an object of ${Object.keys(wanted.shape).join(', ')}`;
  const described = wanted.description ?? list;
  const expected = described === undefined ? (object ?? issue.message) : withForm(described, issue);
  throw new Refusal(
    'invalid-contract',
    { got: shown(valueAt(value, issue.path)), expected, where: place, remedy: `Correct ${name}.` },
    { cause: result.error },
  );
}

/** A description, and the form that it leaves out, as far as the issue knows it: a bound, or how it is written. */
function withForm(described: string, issue: z.core.$ZodIssue): string {
  const form = formIn(issue);
  return form === null || described.includes(form.word) ? described : `${described} (${form.said})`;
}

/** @returns a sentence's end, and the word that a description has which says as much */
function formIn(issue: z.core.$ZodIssue): { readonly said: string; readonly word: string } | null {
  if (issue.code === 'invalid_type' && issue.expected === 'boolean') return { said: 'true or false', word: 'true' };
  if (issue.code === 'invalid_format' && 'pattern' in issue && issue.pattern === HEX)
    return { said: '64 digits 0-9, a-f', word: '64 digits' };
  const isBound = issue.code === 'too_big' || issue.code === 'too_small';
  const of = isBound ? lengthsOf[issue.origin] : undefined;
  if (!isBound || of === undefined) return null;
  const bound = String(issue.code === 'too_big' ? issue.maximum : issue.minimum);
  const [within, without] = issue.code === 'too_big' ? ['at most', 'below'] : ['at least', 'above'];
  return { said: `${issue.inclusive === false ? without : within} ${bound}${of}`, word: bound };
}

const HEX = String(/^[0-9a-f]{64}$/);
/** What is counted, by what it is counted of. */
const lengthsOf: Readonly<Record<string, string>> = { number: '', int: '', string: ' characters', array: ' entries' };

function where(what: string, path: readonly PropertyKey[]): string {
  return path.length === 0 ? what : `${what}, "${path.join('.')}"`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) inner = (inner as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return inner;
}

interface SchemaParts {
  readonly description?: string | undefined;
  readonly shape?: Readonly<Record<PropertyKey, SchemaParts>>;
  readonly unwrap?: () => SchemaParts;
}

/**
 * The schema at `path` as far down as objects go (an array's description stands for its elements'), described if it can
 * be.
 */
function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): SchemaParts {
  let inner = schema as SchemaParts;
  for (const key of path) {
    while (inner.shape === undefined && inner.unwrap !== undefined) inner = inner.unwrap();
    const next = inner.shape?.[key];
    if (next === undefined) break;
    inner = next;
  }
  while (inner.shape === undefined && inner.description === undefined && inner.unwrap !== undefined)
    inner = inner.unwrap();
  return inner;
}

function knownKeys(schema: SchemaParts): string {
  return schema.shape === undefined ? 'no such key' : `only ${Object.keys(schema.shape).join(', ')}`;
}
