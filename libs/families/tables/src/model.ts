// What reads and asks models of tables, without what trains them: it runs in browsers too.
export { tablesCodec } from './table-codec.js';
export { TableModel } from './table-model.js';
