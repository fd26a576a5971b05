export { CompiledModule, growMemory } from './compiled-module.js';
export { drawSome } from './draw-some.js';
export { exp } from './exp.js';
export { firstThat, largestThat } from './first-that.js';
export { gaussianBelow, gaussianDensity } from './gaussian.js';
export { highestIn } from './golden-section.js';
export { greatestOf, placeOfGreatest } from './greatest.js';
export { log, log1p } from './log.js';
export { logSumExp } from './log-sum-exp.js';
export { gridExponent, gridOffset } from './grid.js';
export { oncePer } from './once-per.js';
export { powerOfTen } from './power-of-ten.js';
export { risingRoot } from './rising-root.js';
export { Purpose, RandomStream, philox4x32, randomBits } from './random.js';
export { seedBehind } from './seed-behind.js';
export { meanOf, sumOf } from './sum-of.js';

/**
 * Part of a run's identity: raised whenever a change can alter a bit of a result or of an artefact on the way to it.
 */
export const NUMERICS_VERSION = 8;
