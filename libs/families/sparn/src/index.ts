export { sparn } from './sparn.js';
