// npm run format, npm run format:check: code is formatted by oxfmt, which writes what Prettier does in much less time; all
// other files by Prettier. With --check nothing is written.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const code = '**/*.{ts,tsx,mjs}';
const how = process.argv.includes('--check') ? '--check' : '--write';

let failed = false;
for (const [program, ...files] of [
  ['oxfmt/bin/oxfmt', code],
  ['prettier/bin/prettier.cjs', '.', `!${code}`],
]) {
  const args = [join(root, 'node_modules', program), how, ...files];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
