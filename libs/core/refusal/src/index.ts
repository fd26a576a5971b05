export { consequences, ExitCode, type Consequences, type RefusalCode } from './codes.js';
export { count, counted } from './figures.js';
export { firstAndMore } from './first-and-more.js';
export { posted, received, type PostedError } from './posted-error.js';
export { isRefusal, Refusal, type RefusalOptions, type RefusalParts } from './refusal.js';
export { quoted, shellWord } from './shell-word.js';
