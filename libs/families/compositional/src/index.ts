export { compositional } from './compositional.js';
export { Compositional } from './compositional-model.js';
export { type Composition } from './experts.js';
