/** A column for programs. */
export interface ColumnDocument {
  /** Counted from 1. */
  readonly column: number;
  /** Null of rows of 0 and 1 whose columns have no names. */
  readonly name: string | null;
}

/** @param index of the stored column */
export function columnDocument(index: number, names: readonly string[] | null): ColumnDocument {
  return { column: index + 1, name: names?.[index] ?? null };
}
