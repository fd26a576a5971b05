import type { PipeTransform } from '@nestjs/common';
import { parseContract } from '@orchard/contracts';
import type { z } from 'zod';
import { parametersOf } from '../openapi/schemas.js';

const decimal = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Parses the query by its schema. A query is text: a number or a boolean is read from it where the schema wants one,
 * and only in the spelling of JSON.
 */
export class QueryPipe<Schema extends z.ZodObject> implements PipeTransform<unknown, z.output<Schema>> {
  readonly #types: ReadonlyMap<string, readonly unknown[]>;

  constructor(private readonly schema: Schema) {
    this.#types = new Map(parametersOf(schema).map(({ name, schema }) => [name, typesOf(schema)]));
  }

  /** @throws Refusal `invalid-contract`, answered with 400 */
  transform(query: unknown): z.output<Schema> {
    const entries = Object.entries(query as Record<string, unknown>);
    const values = entries.map(([name, text]) => [name, valueOf(text, this.#types.get(name) ?? [])]);
    return parseContract(this.schema, Object.fromEntries(values), 'query');
  }
}

/** What a value may be: of alternatives all of theirs. */
function typesOf({ type, anyOf }: Readonly<Record<string, unknown>>): unknown[] {
  return Array.isArray(anyOf) ? anyOf.flatMap((one: Readonly<Record<string, unknown>>) => typesOf(one)) : [type];
}

function valueOf(text: unknown, types: readonly unknown[]): unknown {
  if (typeof text !== 'string') return text;
  if ((types.includes('number') || types.includes('integer')) && decimal.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
