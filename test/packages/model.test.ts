import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { families } from '@orchard/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argv } from '../../infra/command-line.mjs';
import { hasChromium, pageOfTest } from '../../libs/tasks/report/src/chromium.suite.js';
import { root } from '../cli/orchard.js';
import { clone, emptyFolder, filesOf, installInto, outputIn, pack } from './installed.js';
import { trainInOneProcess } from './train-in-one-process.js';

const isChromiumThere = hasChromium('@orchard/model is not tried in a browser');

/** Of each kind: the family of its file, and how it is trained. */
const trained = [
  { name: 'lbarn', family: 'lbarn', words: argv`--rounds 5` },
  { name: 'tables', family: 'tables', words: argv`--rounds 5 --members 1` },
  { name: 'marginals', family: 'marginals', words: argv`--model marginals` },
  { name: 'chow-liu', family: 'chow-liu', words: argv`--model chow-liu` },
  { name: 'cutset', family: 'cutset', words: argv`--model cutset --min-rows 20` },
  { name: 'mixture', family: 'forest-mixture', words: argv`--model mixture --components 2,3` },
  { name: 'sparn', family: 'sparn', words: argv`--model sparn` },
  {
    name: 'sparn-sequence',
    family: 'sparn-sequence',
    words: argv`--model sparn --penalty 2 --components 2 --intervals 2 --steps 1`,
  },
  {
    name: 'compositional',
    family: 'compositional',
    words: argv`--model compositional --experts 3 --restarts 2 --steps 2`,
  },
  { name: 'boosted', family: 'forest-mixture', words: argv`--model boosted --components 3` },
  { name: 'weak-networks', family: 'mixture', words: argv`--model boosted --weak network --components 3 --refits 1` },
  { name: 'partition', family: 'partition', words: argv`--model partition --experts 3` },
  { name: 'experts-of-a-table', family: 'table-partition', words: argv`--model partition --experts 2 --steps 2` },
  { name: 'members', family: 'mixture', words: argv`--rounds 5 --members 2` },
];

/** What both Node and the browser are asked: a function of the module and a model's bytes that gives plain JSON. */
const asked = `(api, bytes) => {
  const model = api.openModel(bytes);
  const rows = model.sample(6, 11);
  const known = Uint8Array.from({ length: 6 * model.dimensions }, (_, at) => (model.table ? 0 : at % 2));
  const completion = model.complete(rows, api.BitMatrix.from(packed(api, known, model.dimensions)), { seed: 5 });
  return {
    family: model.family,
    drawn: [...api.toValues(rows)],
    nats: [...model.logLikelihood(rows)],
    surprise: [...model.score(rows, { top: 2 }).surprise],
    completed: [...api.toValues(completion.matrix)],
    evidence: [...completion.logEvidence],
    importance: api.isExplained(model) ? [...model.importanceOf(1)] : null,
    words: model.table ? api.valuesOf(rows, model.table, 11) : null,
    hash: rows.contentHash(),
    bytes: model.toBytes().length,
  };
  function packed(api, values, dimensions) {
    const matrix = api.BitMatrix.create(values.length / dimensions, dimensions);
    values.forEach((value, at) => matrix.set(Math.floor(at / dimensions), at % dimensions, value === 1));
    return matrix.buffer;
  }
}`;

let folder: string;
let tarball: string;
/** Where the package is installed, alone. */
let home: string;
const modelOf = (name: string): string => join(folder, name, 'network.msgpack');

beforeAll(async () => {
  folder = await emptyFolder();
  tarball = await pack(folder, 'model');
  home = join(folder, 'home');
  await installInto(home, tarball);
  const bits = Array.from({ length: 120 }, (_, row) => [row & 1, (row >> 1) & 1, (row & 3) === 3 ? 1 : 0].join());
  await writeFile(join(folder, 'bits.csv'), `a,b,c\n${bits.join('\n')}\n`);
  const table = Array.from({ length: 120 }, (_, row) =>
    [['red', 'green', 'blue'][row % 3], (row * 7) % 31, row & 1].join(),
  );
  await writeFile(join(folder, 'table.csv'), `colour,size,odd\n${table.join('\n')}\n`);
  const rowsOf = (name: string): string => (['tables', 'experts-of-a-table'].includes(name) ? 'table.csv' : 'bits.csv');
  await trainInOneProcess(
    folder,
    trained.map(({ name, words }) => [rowsOf(name), ...words, '--out', name]),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let answers: Promise<Readonly<Record<string, Record<string, unknown>>>> | undefined;
/** What Node answers of each model, in the folder where only the package is: all by one process. */
async function answerOf(name: string): Promise<Record<string, unknown>> {
  const ask = async (): Promise<Readonly<Record<string, Record<string, unknown>>>> => {
    const files = Object.fromEntries(trained.map((one) => [one.name, modelOf(one.name)]));
    const script = `import { readFileSync } from 'node:fs';
import * as api from '@orchard/model';
const ask = ${asked};
const answers = Object.entries(${JSON.stringify(files)}).map(([name, file]) => [name, ask(api, readFileSync(file))]);
console.log(JSON.stringify(Object.fromEntries(answers)));`;
    await writeFile(join(home, 'ask.mjs'), script);
    return JSON.parse(await outputIn(home, process.execPath, 'ask.mjs')) as Record<string, Record<string, unknown>>;
  };
  answers ??= ask();
  return (await answers)[name]!;
}

describe('@orchard/model, installed alone from its file', () => {
  it('reads every family that can be trained', async () => {
    const script = "import('@orchard/model').then(({ families }) => console.log(families.join()))";
    const read = (await outputIn(home, process.execPath, '-e', script)).trim().split(',');
    // several kinds end in mixtures of forests, and a mixture is of models of one of them
    const codecs = families.all.flatMap(({ codec, otherCodecs = [] }) => [codec, ...otherCodecs]);
    expect(new Set(read)).toEqual(new Set([...codecs.map(({ family }) => family), 'mixture']));
    // Bayesian networks are members of mixtures alone, and have another name in files of earlier releases
    expect(new Set([...trained.map(({ family }) => family), 'bayesian-network', 'decision-network'])).toEqual(
      new Set(read),
    );
  });

  it('has no dependency, and two files: what runs, and its types', () => {
    const own = join(home, 'node_modules/@orchard/model');
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect([manifest['dependencies'], manifest['optionalDependencies'], manifest['license']]).toEqual([
      undefined,
      undefined,
      'Apache-2.0',
    ]);
    const files = filesOf(join(own, 'dist'));
    expect([...files.keys()]).toEqual(['index.d.ts', 'index.js']);
    for (const [name, bytes] of files)
      expect(bytes.toString(), name).not.toMatch(/^(import|export)\b.*["']|\bimport\(/m);
  });

  it('publint finds nothing', async () => {
    await outputIn(root, join(root, 'node_modules/.bin/publint'), tarball, '--strict');
  });

  // that a strict program finds the types is tried each time
  it('attw finds nothing', { tags: 'nightly' }, async () => {
    await outputIn(root, join(root, 'node_modules/.bin/attw'), tarball, '--profile', 'esm-only');
  });

  it("the page's ten lines run as they stand, and say what the command line says", async () => {
    const page = readFileSync(join(home, 'node_modules/@orchard/model/README.md'), 'utf8');
    const [, lines] = /```js\n([^]*?)```/.exec(page)!;
    expect(lines!.trim().split('\n').length).toBeLessThanOrEqual(12);
    await mkdir(join(home, 'run'));
    await writeFile(join(home, 'run/network.msgpack'), readFileSync(modelOf('lbarn')));
    await writeFile(join(home, 'lines.mjs'), lines!);
    const said = await outputIn(home, process.execPath, 'lines.mjs');
    for (const what of ['log P of each row', 'three new rows: Uint8Array(9)', 'completed: Uint8Array(6)', 'told by'])
      expect(said).toContain(what);
  });

  it.each(trained)('answers of $name are those of the command line', async ({ name, family }) => {
    const answer = await answerOf(name);
    expect(answer['family']).toBe(family);
    const drawn = (await clone(folder, 'sample', name, '--count', '6', '--seed', '11')).trim().split('\n').slice(1);
    const words = answer['words'] as (string | null)[][] | null;
    if (words === null) expect((answer['drawn'] as number[]).join('')).toBe(drawn.join('').replaceAll(',', ''));
    else expect(words[0]!.map((_, row) => words.map((column) => column[row] ?? '').join())).toEqual(drawn);
  });

  it('its types are whole: a strict program compiles where nothing else is installed', async () => {
    const program = `import { isExplained, openModel, type DensityModel, type Score } from '@orchard/model';
const model: DensityModel = openModel(new Uint8Array());
export const score: Score = model.score(Uint8Array.of(0, 1), { top: 1 });
export const nats: Float64Array = isExplained(model) ? model.importanceOf(0) : score.logLikelihood;
// @ts-expect-error rows are no text
model.sample('3', 7);
`;
    await writeFile(join(home, 'program.mts'), program);
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2023', types: [] };
    await writeFile(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
    await outputIn(home, join(root, 'node_modules/.bin/tsc'), '--project', 'tsconfig.json');
  });

  it('a damaged file is refused with what was got, what was expected and what to do', async () => {
    const bytes = readFileSync(modelOf('lbarn'));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(join(home, 'damaged.msgpack'), bytes);
    const script = `import { readFileSync } from 'node:fs';
import { ModelError, openModel } from '@orchard/model';
try { openModel(readFileSync('damaged.msgpack')); }
catch (error) { console.log(error instanceof ModelError, error.code, error.got, error.expected, error.remedy); }`;
    await writeFile(join(home, 'damaged.mjs'), script);
    expect(await outputIn(home, process.execPath, 'damaged.mjs')).toMatch(
      /^true damaged-file the SHA-256 [0-9a-f]{12}… the SHA-256 [0-9a-f]{12}… that the file ends with .*get it again/,
    );
  });
});

describe.skipIf(!isChromiumThere)('@orchard/model in Chromium', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    // a page that allows its own files and WASM, and is not isolated from others
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
    const page = `<!doctype html><title>model</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>`;
    const script = `import * as api from './index.js';
const ask = ${asked};
window.answerOf = async (name) => ask(api, new Uint8Array(await (await fetch(name)).arrayBuffer()));`;
    const files: Record<string, readonly [type: string, body: () => string | Buffer]> = {
      '/': ['text/html', () => page],
      '/page.js': ['text/javascript', () => script],
      '/index.js': ['text/javascript', () => readFileSync(join(home, 'node_modules/@orchard/model/dist/index.js'))],
    };
    for (const { name } of trained) files[`/${name}`] = ['application/octet-stream', () => readFileSync(modelOf(name))];
    server = createServer(({ url: path }, response) => {
      const file = files[path ?? ''];
      if (file === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': file[0], 'content-security-policy': policy }).end(file[1]());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('answers the same bits as in Node, for every family, with nothing on the console', async () => {
    const { page, complaints } = await pageOfTest();
    await page.goto(url, { waitUntil: 'networkidle' });
    for (const { name } of trained) {
      const told = page.evaluate(`window.answerOf(${JSON.stringify(name)}).then((answer) => JSON.stringify(answer))`);
      expect(JSON.parse((await told) as string), name).toEqual(await answerOf(name));
    }
    expect(complaints).toEqual([]);
  });
});
