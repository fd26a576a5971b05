// Compiles the evaluator's AssemblyScript and writes its bytes as a TypeScript module: nothing is looked up at run time.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const here = fileURLToPath(new URL('.', import.meta.url));
const outputs = new Map();

const flags = '--enable simd --runtime stub -O3 --noAssert --converge --outFile evaluator.wasm --baseDir';
const { error, stderr } = await asc.main(
  [
    'assembly/index.ts',
    ...flags.split(' '),
    here,
    ...(process.argv.includes('--text') ? ['--textFile', 'evaluator.wat'] : []),
  ],
  {
    writeFile: (name, contents) => void outputs.set(name, contents),
    listFiles: () => [],
  },
);
if (error) {
  console.error(`${error.message}\n${stderr.toString()}`);
  process.exit(1);
}
const bytes = outputs.get('evaluator.wasm');
await mkdir(`${here}/src/generated`, { recursive: true });
await writeFile(
  `${here}/src/generated/evaluator-bytes.ts`,
  `/** The compiled evaluator, base64. Made by build-wasm.mjs from assembly/. */\nexport const evaluatorBytes =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
);
if (outputs.has('evaluator.wat')) await writeFile(`${here}/src/generated/evaluator.wat`, outputs.get('evaluator.wat'));
console.error(`evaluator: ${bytes.length} bytes of WASM`);
