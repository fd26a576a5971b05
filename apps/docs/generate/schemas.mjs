// The documents that programs exchange with Orchard as JSON Schemas, and the page that lists them.
import * as contracts from '@orchard/contracts';
import { z } from 'zod';

/** The name of each document, its schema, and where a program meets it. */
const documents = [
  ['train', 'trainDocumentSchema', 'printed by `orchard train --json` for a network of rows of 0 and 1'],
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

/** The schemas as files, by name. */
export function schemaFiles() {
  return documents.map(([name, schema]) => {
    const { $schema, ...rest } = z.toJSONSchema(contracts[schema], { io: 'output', unrepresentable: 'any' });
    return [`${name}.json`, `${JSON.stringify({ $schema, title: name, ...rest }, null, 2)}\n`];
  });
}

export function schemaPage() {
  const rows = documents.map(([name, , where]) => `| [${name}](./${name}.json){download} | ${where} |`);
  const text = `# JSON documents

The schemas (JSON Schema 2020-12) are made from the definitions that Orchard itself checks these documents by.

| schema | document |
| --- | --- |
${rows.join('\n')}

Every command has \`--json\` and prints one document; those of the other commands have no schema, and the pages of the
[commands](../commands/index.md) show them. An error is \`{"error": {code, message, got, expected, where, remedy}}\`
everywhere. The whole API, with its requests and answers, is OpenAPI 3.1 at the coordinator's \`/docs/json\`.
`;
  return [['reference/documents/index.md', text]];
}
