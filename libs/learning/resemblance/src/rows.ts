/** Numbers, NaN where one is missing. */
export interface NumberColumn {
  readonly name: string;
  readonly kind: 'number';
  readonly values: Float64Array;
}

/** Labels by their numbers, which are the same in all rows that are compared; -1 where one is missing. */
export interface LabelColumn {
  readonly name: string;
  readonly kind: 'label';
  readonly values: Int32Array;
}

export type Column = NumberColumn | LabelColumn;

/** Rows by column. Rows that are compared have the same columns, in the same order. */
export interface Rows {
  readonly count: number;
  readonly columns: readonly Column[];
}

/** Some of the rows, in the given order. */
export function selectRows({ columns }: Rows, rows: ArrayLike<number>): Rows {
  return {
    count: rows.length,
    columns: columns.map((column): Column => {
      const picked = Array.from(rows, (row) => column.values[row]!);
      return column.kind === 'number'
        ? { ...column, values: Float64Array.from(picked) }
        : { ...column, values: Int32Array.from(picked) };
    }),
  };
}
