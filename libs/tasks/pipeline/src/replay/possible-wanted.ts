import { wantedSchema, type Wanted } from '@orchard/contracts';
import { z } from 'zod';
import type { Family } from '../family.js';

/** What JSON Schema says of a field, as far as it lists values. */
interface Field {
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Field[];
  readonly const?: unknown;
  readonly type?: string;
  readonly default?: unknown;
}

/**
 * All that can be wanted of a family's runs: every combination of the values of its fields. A field of which the values
 * cannot be listed, such as a number, has only those of `known`; one that may be left out is left out, too.
 */
export function possibleWanted({ wanted }: Pick<Family, 'wanted'>, known: readonly Wanted[] = []): readonly Wanted[] {
  const { properties = {}, required = [] } = z.toJSONSchema(wanted, { unrepresentable: 'any' }) as {
    properties?: Record<string, Field>;
    required?: readonly string[];
  };
  let all: Record<string, unknown>[] = [{}];
  for (const [name, field] of Object.entries(properties)) {
    const values = new Set([...valuesOf(field), ...known.flatMap((one) => (name in one ? [one[name]] : []))]);
    const without = required.includes(name) ? [] : all;
    all = [...without, ...all.flatMap((one) => [...values].map((value) => ({ ...one, [name]: value })))];
  }
  return all.filter((one) => wanted.safeParse(one).success).map((one) => wantedSchema.parse(one));
}

function valuesOf(field: Field): readonly unknown[] {
  if (field.enum !== undefined) return field.enum;
  if (field.anyOf !== undefined) return field.anyOf.flatMap(valuesOf);
  if (field.type === 'boolean') return [true, false];
  return [field.const, field.default].filter((value) => value !== undefined);
}
