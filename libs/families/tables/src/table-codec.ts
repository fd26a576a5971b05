import type { ModelCodec } from '@orchard/model';
import { readTableBody } from './table-body.js';
import { TableModel, tablesFamily } from './table-model.js';

/** How the models of tables are read from their files. */
export const tablesCodec: ModelCodec = {
  family: tablesFamily,
  read: (head, body) => new TableModel({ ...head, table: head.table!, ...readTableBody(head, body) }),
};
