// node infra/programs/main.mjs APP: the last step of an app's build. The program, in few files, is what people, containers and tests start.
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle-program.mjs';

const [app = ''] = process.argv.slice(2);
const folder = fileURLToPath(new URL(`../../apps/${app}/program`, import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await bundleProgram(app, folder, { sourcemap: true });
