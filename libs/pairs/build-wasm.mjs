// Compiles the counting loop's AssemblyScript and writes its bytes as a TypeScript module: nothing is looked up at run time.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const here = fileURLToPath(new URL('.', import.meta.url));
const outputs = new Map();
const flags = '--enable simd --runtime stub -O3 --noAssert --converge --outFile counter.wasm --baseDir';
const { error, stderr } = await asc.main(['assembly/index.ts', ...flags.split(' '), here], {
  writeFile: (name, contents) => void outputs.set(name, contents),
  listFiles: () => [],
});
if (error) {
  console.error(`${error.message}\n${stderr.toString()}`);
  process.exit(1);
}
const bytes = outputs.get('counter.wasm');
await mkdir(`${here}/src/generated`, { recursive: true });
await writeFile(
  `${here}/src/generated/counter-bytes.ts`,
  `/** The compiled counting loop, base64. Made by build-wasm.mjs from assembly/. */\nexport const counterBytes =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
);
console.error(`pairs: ${bytes.length} bytes of WASM`);
