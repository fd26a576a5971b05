// node compile-wasm.mjs NAME [compiler options]: the first step of a lib's build that has AssemblyScript. From the
// lib's folder it compiles assembly/index.ts and writes the bytes as a TypeScript module, so that nothing is looked up
// at run time.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import asc from 'assemblyscript/asc';

const [name = '', ...options] = process.argv.slice(2);
const outputs = new Map();

/** What both compilers read ends its imports in `.js`, which AssemblyScript does not know. */
async function readSource(source, base) {
  const path = resolve(base, source.replace(/\.js\.ts$/, '.ts'));
  return existsSync(path) ? readFile(path, 'utf8') : null;
}

const usual = '--enable simd --runtime stub -O3 --noAssert --converge --outFile out.wasm';
const { error, stderr } = await asc.main(['assembly/index.ts', ...usual.split(' '), ...options], {
  readFile: readSource,
  writeFile: (file, contents) => void outputs.set(file, contents),
  listFiles: () => [],
});
if (error) {
  console.error(`${error.message}\n${stderr.toString()}`);
  process.exit(1);
}
const bytes = outputs.get('out.wasm');
await mkdir('src/generated', { recursive: true });
await writeFile(
  `src/generated/${name}-bytes.ts`,
  `/** The compiled ${name}, base64. Made by compile-wasm.mjs from assembly/. */\nexport const ${name}Bytes =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
);
// to read what the compiler made: --textFile out.wat
if (outputs.has('out.wat')) await writeFile(`src/generated/${name}.wat`, outputs.get('out.wat'));
console.error(`${name}: ${bytes.length} bytes of WASM`);
