// One folder of JavaScript without a workspace: a program from the sources of its app and of the libs, with the
// packages that they use. A program starts two to three times as fast from it as from several hundred modules, and
// needs nothing beside it but Node.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { bundledOf, resolveWith } from './bundled.mjs';
import { threadModules } from './thread-modules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What NestJS asks for where it is installed: it is not here. */
const left = /^(node:|class-transformer|class-validator|@nestjs\/(microservices|websockets)|@fastify\/static)/;

/**
 * What nearly every command reads of the models is one file: to open fifty takes as long as to compile them. The
 * registry is not in it: it waits for the package of papers, which imports them.
 */
const models = {
  name: 'all-models',
  test: /\/libs\/(core|learning|families\/(?!registry\/)|tasks\/pipeline)\//,
  minShareCount: 8,
};
/** What a start reads before it knows that it needs models: how it ends. */
const refusals = { name: 'refusals', test: /\/libs\/core\/refusal\//, priority: 1 };

/**
 * `main.js`, an entry for each module that threads are started with, the package of papers, and what these share.
 *
 * @param {string} app the folder's name under apps
 * @param {string} folder
 * @param {{ sourcemap?: boolean }} [options]
 * @returns {Promise<import('./bundled.mjs').Bundled>}
 */
export async function bundleProgram(app, folder, options) {
  return bundledOf(await writeProgram(app, folder, options));
}

/**
 * The same, for who wants to know which file imports which.
 *
 * @param {string} app
 * @param {string} folder
 * @param {{ sourcemap?: boolean }} [options]
 * @returns {Promise<readonly (import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]>}
 */
export async function writeProgram(app, folder, { sourcemap = false } = {}) {
  const bundle = await rolldown({
    input: { main: join(root, 'apps', app, 'src/main.ts') },
    platform: 'node',
    external: [left],
    resolve: { ...resolveWith('node'), alias: modulesOf('@opentelemetry') },
    tsconfig: join(root, 'apps', app, 'tsconfig.json'),
    plugins: [threadModules(), withoutSchemaCompiler()],
    // a constant is read where it is declared, so that a test can have it be another
    optimization: { inlineConst: false },
    // bull-board's path to its pages' files, which it is given; and what is loaded later in one program, at once in another
    checks: { eval: false, ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap,
    // documentation is not read there, 0.4 of 4.7 MB
    comments: { jsdoc: false },
    banner: ({ fileName }) => (fileName === 'main.js' ? '#!/usr/bin/env node' : ''),
    codeSplitting: app === 'cli' ? { groups: [refusals, models] } : true,
    chunkFileNames: ({ name, moduleIds }) =>
      `${[refusals.name, models.name].includes(name) ? name : nameOf(moduleIds.at(-1))}.js`,
  });
  await bundle.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  checkThreads(chunks);
  checkPapers(chunks);
  return output;
}

/**
 * The SDK of the Model Context Protocol brings a compiler of JSON Schema, 240 kB, for forms that a server has a client
 * fill in: there are none.
 *
 * @returns {import('rolldown').Plugin}
 */
function withoutSchemaCompiler() {
  return {
    name: 'orchard-without-schema-compiler',
    load: {
      filter: { id: /@modelcontextprotocol\/sdk\/.*\/ajv-provider\.js$/ },
      handler: () => `export class AjvJsonSchemaValidator {
        getValidator() { throw new Error('there is no compiler of schemas in this bundle'); }
      }`,
    },
  };
}

/**
 * The ES modules of a scope's packages, which are found by no condition: of what is CommonJS nothing can be left out.
 *
 * @param {string} scope
 */
function modulesOf(scope) {
  const folder = join(root, 'node_modules', scope);
  const modules = readdirSync(folder).flatMap((name) => {
    const { module } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
    return module === undefined ? [] : [[`${scope}/${name}$`, join(folder, name, module)]];
  });
  return Object.fromEntries(modules);
}

/** What a file of several modules is called, so that a stack can be read: lib and file, or the package. */
function nameOf(module = 'shared') {
  const [, own, file] = /(?:libs\/[^/]+|apps)\/([^/]+)\/src\/(?:.*\/)?([^/]+)\.ts$/.exec(module) ?? [];
  if (own !== undefined) return `${own}-${file}`;
  const [, scope, name] = /.*node_modules\/(?:@([^/]+)\/)?([^/]+)/.exec(module) ?? [];
  return [scope, name ?? '[name]'].filter(Boolean).join('-');
}

/**
 * A thread that reached `main.js` would run the command line once more, and one whose exports were renamed would find
 * no computation.
 */
function checkThreads(chunks) {
  if (new Set(chunks.map(({ fileName }) => fileName)).size !== chunks.length)
    throw new Error('two files of the bundle have one name');
  const entries = chunks.filter(({ fileName }) => fileName.startsWith('thread-'));
  if (entries.length === 0) throw new Error('no module for threads was found: training would have none to run');
  for (const { fileName, isEntry, exports } of entries) {
    if (!isEntry || (fileName.endsWith('-computations.js') && !exports.includes('computations')))
      throw new Error(`${fileName} exports ${exports.join(', ') || 'nothing'}, expected what threads ask for`);
    if (reachedFrom([fileName], chunks).has('main.js'))
      throw new Error(`${fileName} imports main.js, which a thread must not run`);
  }
}

/** The registry waits for the package of papers: where that waited for the registry, no program would start. */
function checkPapers(chunks) {
  const papers = papersIn(chunks);
  const askedBy = chunks.filter(({ dynamicImports }) => dynamicImports.includes(papers.fileName));
  const waits = reachedFrom(papers.imports, chunks);
  if (askedBy.length !== 1 || waits.has(askedBy[0].fileName))
    throw new Error(`${papers.fileName} is asked for by ${askedBy.map(({ fileName }) => fileName)}, and imports it`);
}

/** The file of the package of papers. */
export function papersIn(chunks) {
  const papers = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('libs/papers/papers/src/index.ts'));
  if (papers === undefined) throw new Error('the package of papers is in no file of its own');
  return papers;
}

/**
 * @param {readonly string[]} names files
 * @param {readonly import('rolldown').OutputChunk[]} chunks
 * @param {string} [border] what is beyond it is not reached
 * @returns {Set<string>} these files, and all of the bundle that they import, at once or later
 */
export function reachedFrom(names, chunks, border) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set(names);
  for (const name of reached) {
    const chunk = byName.get(name);
    for (const next of [...(chunk?.imports ?? []), ...(chunk?.dynamicImports ?? [])])
      if (byName.has(next) && next !== border) reached.add(next);
  }
  return reached;
}
