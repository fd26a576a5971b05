export { exp } from './exp.js';
export { log, log1p } from './log.js';
export { gridExponent, gridOffset } from './grid.js';
export { Purpose, RandomStream, philox4x32, randomBits } from './random.js';

/** Part of a run's identity: raised whenever a change of this package or of the kernel can change a bit of a result. */
export const NUMERICS_VERSION = 2;
