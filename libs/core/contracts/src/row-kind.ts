import { z } from 'zod';

export const rowKinds = ['bits', 'table'] as const;

export const rowKindSchema = z.enum(rowKinds);

/**
 * What rows are: bits alone, or codes of a table's variables. Not by the schema: columns have it, and so the types that
 * `@orchard/model` publishes, where no schema is.
 */
export type RowKind = (typeof rowKinds)[number];
