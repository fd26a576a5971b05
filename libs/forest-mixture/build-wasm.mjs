// Compiles EM's AssemblyScript and writes its bytes as a TypeScript module: nothing is looked up at run time.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const here = fileURLToPath(new URL('.', import.meta.url));
const outputs = new Map();

/** `numerics` is one source for both compilers: its imports end in `.js`, which AssemblyScript does not know. */
async function readSource(name, base) {
  const path = resolve(base, name.replace(/\.js\.ts$/, '.ts'));
  return existsSync(path) ? readFile(path, 'utf8') : null;
}

const flags = '--enable simd --runtime stub -O3 --noAssert --converge --outFile expectation.wasm --baseDir';
const { error, stderr } = await asc.main(['assembly/index.ts', ...flags.split(' '), here], {
  readFile: readSource,
  writeFile: (name, contents) => void outputs.set(name, contents),
  listFiles: () => [],
});
if (error) {
  console.error(`${error.message}\n${stderr.toString()}`);
  process.exit(1);
}
const bytes = outputs.get('expectation.wasm');
await mkdir(`${here}/src/generated`, { recursive: true });
await writeFile(
  `${here}/src/generated/expectation-bytes.ts`,
  `/** The compiled expectation, base64. Made by build-wasm.mjs from assembly/. */\nexport const expectationBytes =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
);
console.error(`forest-mixture: ${bytes.length} bytes of WASM`);
