import { builtModule, type Computations } from '@orchard/pipeline';
import { computations } from './serve-computations.js';

/** What the threads of `orchard serve` run. */
export const served: Computations = {
  module: builtModule('serve-computations', import.meta.url),
  functions: computations,
};
