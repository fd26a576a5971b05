import { z } from 'zod';

export const rowKindSchema = z.enum(['bits', 'table']);

/** Every kind of rows. */
export const rowKinds = rowKindSchema.options;

/** What rows are: bits alone, or codes of a table's variables. */
export type RowKind = z.infer<typeof rowKindSchema>;
