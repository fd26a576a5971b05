import type { Table } from '@orchard/contracts';
import { BitMatrix, Columns, codeOffsets, readCodes } from '@orchard/dataset';
import { HeadedModel } from '../file/headed-model.js';
import type { ModelHead } from '../file/model-head.js';

/** A model of a table with what its file says of it. Its rows are the codes of the table's variables. */
export abstract class HeadedTable extends HeadedModel {
  declare readonly table: Table;
  /** Where the codes of each variable are in a row. */
  readonly offsets: Uint32Array;

  constructor({
    table,
    specification,
    likelihoods,
  }: Pick<ModelHead, 'specification' | 'likelihoods'> & { readonly table: Table }) {
    const offsets = codeOffsets(table);
    super({ dimensions: offsets.at(-1)!, names: null, shape: null, specification, likelihoods });
    this.table = table;
    this.offsets = offsets;
  }

  /** V. */
  get variables(): number {
    return this.table.variables.length;
  }

  /** The code of one variable in one row of codes. */
  codeOf({ bytes, stride }: BitMatrix, row: number, index: number): number {
    const one = { rows: 1, stride, bytes: bytes.subarray(row * stride, (row + 1) * stride) };
    return readCodes(one, this.offsets[index]!, this.offsets[index + 1]!)[0]!;
  }

  /** Rows of zeros with the table's meaning. */
  emptyRows(count: number): BitMatrix {
    return BitMatrix.create(count, this.dimensions, { columns: Columns.of(this.table) });
  }
}
