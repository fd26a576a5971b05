import type { KeptRule, RowKind, Table } from '@orchard/contracts';

/** What the header of rows says of those of a table. */
export interface TableDocument {
  readonly table: Table;
  /** Of each variable: the summed log-density of those values, given their cells, that lie in the outermost cells. */
  readonly tailNats: readonly number[];
}

/** What says of rows, or of a model, what their bits are. */
interface SaidColumns {
  readonly dimensions: number;
  readonly names: readonly string[] | null;
  /** Absent where each bit is a column. */
  readonly table?: Table | undefined;
}

/** The columns of a data set or of a model: of a table its variables, else its bits. */
export function columnsIn({ table, dimensions, names }: SaidColumns): Columns {
  return table === undefined ? Columns.alike(dimensions, names) : Columns.of(table);
}

/**
 * The columns of a data set, and how the bits of its rows stand for them: columns of 0 and 1 a bit each, those of a
 * table the bits of their codes. Columns that are alike are said once, so that 262,144 take no room.
 */
export class Columns {
  private constructor(
    /** How many there are: of a table its variables. */
    readonly count: number,
    /** Null where columns of 0 and 1 have no names. */
    readonly names: readonly string[] | null,
    /** Null where each bit is a column. */
    readonly document: TableDocument | null,
  ) {}

  /** Columns of 0 and 1. */
  static alike(count: number, names: readonly string[] | null): Columns {
    return new Columns(count, names, null);
  }

  /** @param tailNats as in {@link TableDocument}. @default zeros: of rows whose values are not known */
  static of(table: Table, tailNats: readonly number[] = table.variables.map(() => 0)): Columns {
    const names = table.variables.map(({ name }) => name);
    return new Columns(names.length, names, { table, tailNats });
  }

  get kind(): RowKind {
    return this.document === null ? 'bits' : 'table';
  }

  /** The table whose codes the bits are; undefined of columns of 0 and 1. */
  get table(): Table | undefined {
    return this.document?.table;
  }

  /** @throws TypeError for columns of 0 and 1: what learns codes is not handed these */
  get codes(): TableDocument {
    if (this.document === null) throw new TypeError('columns of 0 and 1 have no codes');
    return this.document;
  }

  /** The same columns, of rows whose values are not known. */
  get ofCodes(): Columns {
    return this.document === null ? this : Columns.of(this.document.table);
  }

  /** The same columns of rows that follow rules. @throws TypeError for columns of 0 and 1 */
  under(rules: readonly KeptRule[]): Columns {
    const { table, tailNats } = this.codes;
    return Columns.of({ ...table, rules }, tailNats);
  }
}
