export { areaUnderCurve } from './area-under-curve.js';
export { copiesAmong } from './copies.js';
export { nearestRows, type Nearest, type NearestOptions } from './nearest.js';
export { selectRows, type Column, type LabelColumn, type NumberColumn, type Rows } from './rows.js';
export { columnShapes, type ColumnScore } from './shapes.js';
export { tellApart, type TellApartOptions, type ToldApart } from './tell-apart.js';
export { pairTrends, type PairScore } from './trends.js';
