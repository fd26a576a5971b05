/** How experts are learned, without a run: what repeats the thesis' synthetic experiments (test/paper). */
export { type Experts } from './experts.js';
export { stepOf, type EmStep } from './learn-experts.js';
export { startOf, type StartOptions } from './start-experts.js';
