// node infra/start.mjs infra/pack/complete-sources.mjs FOLDER: what the build backend of orchard-density runs in a clone,
// so that pip can install the folder of its sources.
import { completeSources } from './wheel.mjs';

await completeSources(process.argv[2]);
