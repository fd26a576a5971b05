import { z } from 'zod';
import type { ValueSchema } from './values.js';

/** The parts of a schema's definition that words can be found in, whichever kind of schema it is. */
interface Definition {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly in?: z.ZodType;
}

/** The words that a schema takes, by themselves or in a list: of an enumeration, or beside numbers, as `auto`. */
export function wordsOfSchema(schema: z.ZodType): string[] {
  const { entries = {}, values = [], options = [], innerType, element, in: input } = schema.def as Definition;
  const own = [...Object.values(entries), ...values].filter((value) => typeof value === 'string');
  const inner = [...options, innerType, element, input].filter((one) => one !== undefined);
  return [...new Set([...own, ...inner.flatMap(wordsOfSchema)])];
}

/** What a schema says of itself, or the one that it makes optional. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const { innerType } = schema.def as Definition;
  return schema.meta()?.description ?? (innerType === undefined ? undefined : descriptionOf(innerType));
}

/** What a schema takes, in JSON Schema, without its description: that is the help of its option. */
export function valueSchemaOf(schema: z.ZodType): ValueSchema {
  const said = Object.entries(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return Object.fromEntries(said.filter(([key]) => key !== '$schema' && key !== 'description'));
}
