export { compositional } from './compositional.js';
export { Compositional, PlacedCompositional } from './compositional-model.js';
export { type Composition } from './compositions/index.js';
