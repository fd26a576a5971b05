// Compiles the AssemblyScript kernel and writes its bytes as a TypeScript module: nothing is looked up at run time.
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

const flags = [
  '--importMemory --sharedMemory --initialMemory 1 --maximumMemory 65536 --enable threads --enable simd',
  '--runtime stub -O3 --noAssert --converge --outFile kernel.wasm --baseDir',
];
const { error, stderr } = await asc.main(
  [
    'assembly/index.ts',
    ...flags.join(' ').split(' '),
    here,
    ...(process.argv.includes('--text') ? ['--textFile', 'kernel.wat'] : []),
  ],
  {
    readFile: readSource,
    writeFile: (name, contents) => void outputs.set(name, contents),
    listFiles: () => [],
  },
);
if (error) {
  console.error(`${error.message}\n${stderr.toString()}`);
  process.exit(1);
}
const bytes = outputs.get('kernel.wasm');
await mkdir(`${here}/src/generated`, { recursive: true });
await writeFile(
  `${here}/src/generated/kernel-bytes.ts`,
  `/** The compiled kernel, base64. Made by build-wasm.mjs from assembly/. */\nexport const kernelBytes =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
);
if (outputs.has('kernel.wat')) await writeFile(`${here}/src/generated/kernel.wat`, outputs.get('kernel.wat'));
console.error(`kernel: ${bytes.length} bytes of WASM`);
