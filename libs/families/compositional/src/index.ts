export { compositional } from './compositional.js';
export { Compositional } from './compositional-model.js';
export { compositions, Experts, type Composition } from './experts.js';
