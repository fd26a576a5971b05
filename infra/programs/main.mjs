// node infra/programs/main.mjs APP: the last step of an app's build. The program, in few files, is what people,
// containers and tests start.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle-program.mjs';

const [app = ''] = process.argv.slice(2);
const folder = fileURLToPath(new URL(`../../apps/${app}/program`, import.meta.url));
mkdirSync(folder, { recursive: true });
// written over, so that who starts the program meanwhile finds one; what it has no more goes last
const { files } = await bundleProgram(app, folder, { sourcemap: true });
for (const name of readdirSync(folder)) if (!files.includes(name)) rmSync(join(folder, name));
