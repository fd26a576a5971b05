// node json-documents.mjs: a step of the command line's build. It writes apps/cli/dist/documents.json: for each command
// the JSON Schema of what `--json` prints, made of the types that the document is written by, so that nothing is said
// twice. The site has them as files, and tests compare with them what commands print.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { schemas } from './schema-of-type.mjs';

const cli = fileURLToPath(new URL('../../apps/cli/', import.meta.url));

/** Which commands print the documents that a file writes; of a file with several, by the function. */
const commandsOf = {
  'client/audit.ts': ['audit'],
  'client/commands.ts addRunsCommand': ['runs'],
  'client/commands.ts listFolders': ['runs'],
  'client/commands.ts addLogsCommand': ['logs'],
  'client/commands.ts show': ['submit', 'status', 'watch', 'cancel', 'resume', 'pin', 'unpin'],
  'client/retention.ts': ['retention'],
  'client/delete.ts': ['delete'],
  'client/fetch.ts': ['fetch'],
  'client/gc.ts': ['gc'],
  'client/login.ts': ['login'],
  'client/whoami.ts': ['whoami'],
  'commands/associations.ts': ['associations'],
  'commands/check/check.ts': ['check'],
  'commands/classify/classify.ts': ['classify'],
  'commands/compact.ts': ['compact'],
  'commands/compare.ts': ['compare'],
  'commands/compare-models/compare-models.ts': ['compare-models'],
  'commands/demo/demo.ts': ['demo'],
  'commands/describe.ts': ['describe'],
  'commands/importance/importance.ts': ['importance'],
  'commands/inspect.ts': ['inspect'],
  'commands/judge/judge.ts': ['judge'],
  'commands/mcp.ts': ['mcp'],
  'commands/online/online.ts': ['online'],
  'commands/evaluate/outliers.ts': ['outliers'],
  'commands/repair.ts': ['repair'],
  'commands/replay.ts': ['replay'],
  'commands/select.ts': ['select'],
  'commands/serve.ts': ['serve'],
  'commands/train/train.ts': ['train'],
  'commands/demo/table-demo.ts': ['demo'],
  'rows/load-training-rows.ts': ['error'],
  'run.ts': ['error'],
  'commands/complete/complete-file.ts': ['complete'],
  'commands/evaluate/evaluate-rows.ts': ['evaluate', 'outliers'],
  'commands/sample/sample-rows.ts': ['sample'],
  'commands/evaluate/show-evaluation.ts': ['evaluate'],
};

const { config } = ts.readConfigFile(join(cli, 'tsconfig.json'), ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, cli);
const program = ts.createProgram(fileNames, { ...options, noEmit: true, composite: false });
const checker = program.getTypeChecker();

const configured = { description: 'What a file of options said, where there is one.' };
const remarks = {
  description: 'What of the rows was left out, counted as missing, merged or guessed, where anything was.',
  type: 'array',
  items: { type: 'string' },
};

/** What writes a document: of the second, what comes in pieces is a field of the first's type too. */
const writers = ['terminal.document', 'terminal.documentInPieces'];

/** Of each command, the types of its documents. */
const types = new Map();
const unused = new Set(Object.keys(commandsOf));
for (const file of program.getSourceFiles()) {
  if (!file.fileName.startsWith(`${cli}src/`)) continue;
  visit(file, file.fileName.slice(`${cli}src/`.length), null);
}
if (unused.size > 0) throw new Error(`json-documents.mjs names what writes no document: ${[...unused].join(', ')}`);
const documents = Object.fromEntries(
  [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, all]) => [name, schemaOf(name, all)]),
);
writeFileSync(join(cli, 'dist/documents.json'), `${JSON.stringify(documents)}\n`);

/** Finds the calls of `terminal.document` below a node. */
function visit(node, file, within) {
  const isCall =
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    writers.includes(node.expression.getText());
  if (isCall) take(checker.getTypeAtLocation(node.arguments[0]), file, within);
  const isNamed = ts.isFunctionDeclaration(node) || (ts.isVariableDeclaration(node) && within === null);
  const inside = isNamed && node.name !== undefined ? node.name.getText() : within;
  ts.forEachChild(node, (child) => visit(child, file, inside));
}

function take(type, file, within) {
  const place = [file, `${file} ${within}`].find((key) => Object.hasOwn(commandsOf, key));
  if (place === undefined)
    throw new Error(`${file} writes a document in ${within}: say in json-documents.mjs which commands print it`);
  unused.delete(place);
  for (const command of commandsOf[place]) {
    const known = types.get(command) ?? [];
    // what is printed in two places by one type is one document
    if (!known.includes(type)) types.set(command, [...known, type]);
  }
}

function schemaOf(title, all) {
  const { whole, definitions } = schemas(checker);
  const each = all.map((type) => {
    const schema = whole(type);
    // Terminal adds them to what succeeds
    return title === 'error' ? schema : { ...schema, properties: { ...schema.properties, configured, remarks } };
  });
  const $defs = Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(each.length === 1 ? each[0] : { anyOf: each }),
    ...(definitions.size > 0 && { $defs }),
  };
}
