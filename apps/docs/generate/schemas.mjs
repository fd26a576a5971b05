// The documents that programs exchange with Orchard as JSON Schemas, and the page that lists them.
import { readFileSync } from 'node:fs';
import * as contracts from '@orchard/contracts';
import { z } from 'zod';

/** The name of each document, its schema, and where a program meets it. */
const documents = [
  ['summary', 'summarySchema', '`summary.json` of a network of rows of 0 and 1, in its folder and in the store'],
  ['model-summary', 'modelSummarySchema', '`summary.json` of every other kind of model, which may say more'],
  ['run-request', 'runRequestSchema', 'the body of `POST /v1/runs` for a network'],
  ['run-status', 'runStatusSchema', '`GET /v1/runs/ID`, and its events'],
  ['run-page', 'runPageSchema', '`GET /v1/runs`'],
  ['task-grid', 'taskGridSchema', '`GET /v1/runs/ID/tasks`: where each task is'],
  ['task', 'taskDetailSchema', '`GET /v1/runs/ID/tasks/KIND/KEY`: one task, its curve and its attempts'],
  ['likelihood', 'likelihoodSchema', '`GET /v1/runs/ID/likelihood`: the held-out curve so far'],
  ['cluster', 'clusterGlanceSchema', '`GET /v1/cluster`: workers, queues and runs at this moment'],
  ['dataset', 'datasetFactsSchema', '`GET /v1/datasets/ID`: a data set that was uploaded'],
];

/** What the commands print with `--json`, as their build makes it of the types of the documents. */
const ofCommands = () =>
  Object.entries(JSON.parse(readFileSync(new URL('../../cli/dist/documents.json', import.meta.url), 'utf8')));

const fileOf = (command) => `orchard-${command}.json`;

/** The schemas as files, by name. */
export function schemaFiles() {
  const commands = ofCommands().map(([command, schema]) => [fileOf(command), `${JSON.stringify(schema, null, 2)}\n`]);
  return [...commands, ...ofContracts()];
}

function ofContracts() {
  return documents.map(([name, schema]) => {
    const { $schema, ...rest } = z.toJSONSchema(contracts[schema], { io: 'output', unrepresentable: 'any' });
    return [`${name}.json`, `${JSON.stringify({ $schema, title: name, ...rest }, null, 2)}\n`];
  });
}

export function schemaPage() {
  const rows = documents.map(([name, , where]) => `| [${name}](./${name}.json){download} | ${where} |`);
  const commands = ofCommands()
    .filter(([command]) => command !== 'error')
    .map(
      ([command]) =>
        `| [${command}](./${fileOf(command)}){download} | [\`orchard ${command} --json\`](../commands/${command}.md) |`,
    );
  const text = `# JSON documents

Every document has a schema (JSON Schema 2020-12).

## Commands

With \`--json\` a command prints one document. The schemas are made from the types that the commands are written in, and
the tests compare with them what the commands print. A command that failed prints an
[error](./${fileOf('error')}){download}, beside what it had found until then.

| schema | printed by |
| --- | --- |
${commands.join('\n')}

## Files and the coordinator

These schemas are made from the definitions that Orchard checks the documents by.

| schema | document |
| --- | --- |
${rows.join('\n')}

The whole API, with its requests and answers, is OpenAPI 3.1 at the coordinator's \`/docs/json\`.
`;
  return [['reference/documents/index.md', text]];
}
