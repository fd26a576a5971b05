import type { Variable } from '@orchard/contracts';
import type { RawCell } from '../table-files/raw-table.js';
import { Encoder } from '../variables/cell-values.js';
import { dependsOnValue } from '../variables/density.js';

/** Cells that are remembered of all columns together. */
const REMEMBERED = 2 ** 16;
const MOST = 4096;
/** Cells after which it is clear whether they repeat. */
const TRIED = 4096;

/** What a cell is in a column. */
export interface CellCode {
  /** Null where the variable has none for it. */
  code: number | null;
  /** Of an ordered variable; NaN of any other. */
  value: number;
  /** Whether what the value adds to the log-probability of the code is not the code's alone. */
  dependsOnValue: boolean;
}

/** The codes of the cells of one column. What cells repeat is looked up rather than read again. */
export class CellCodes {
  readonly #encoder: Encoder;
  readonly #known = new Map<RawCell, CellCode>();
  readonly #most: number;
  /** What cells are that are not remembered, one after another. */
  readonly #passing: CellCode = { code: null, value: NaN, dependsOnValue: false };
  #asked = 0;
  #missed = 0;
  #repeats = true;

  constructor(
    readonly variable: Variable,
    variables: number,
  ) {
    this.#encoder = new Encoder(variable);
    this.#most = Math.max(16, Math.min(MOST, Math.floor(REMEMBERED / variables)));
  }

  /** Valid until the next cell. */
  of(cell: Exclude<RawCell, null>): CellCode {
    if (!this.#repeats) return this.#fill(this.#passing, cell);
    this.#asked++;
    const known = this.#known.get(cell);
    if (known !== undefined) return known;
    if (this.#known.size < this.#most) {
      const coded = this.#fill({ ...this.#passing }, cell);
      this.#known.set(cell, coded);
      return coded;
    }
    this.#missed++;
    if (this.#asked >= TRIED) {
      this.#repeats = this.#missed * 2 < this.#asked;
      this.#asked = this.#missed = 0;
      if (!this.#repeats) this.#known.clear();
    }
    return this.#fill(this.#passing, cell);
  }

  #fill(coded: CellCode, cell: Exclude<RawCell, null>): CellCode {
    const value = this.#encoder.value(cell);
    const code = this.#encoder.code(cell, value);
    coded.code = code;
    coded.value = value;
    coded.dependsOnValue = code !== null && dependsOnValue(this.variable, code);
    return coded;
  }
}
