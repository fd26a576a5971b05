export { boosted } from './boosted.js';
