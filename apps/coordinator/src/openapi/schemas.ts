import {
  clusterGlanceSchema,
  datasetFactsSchema,
  likelihoodSchema,
  modelSummarySchema,
  runOverviewSchema,
  runPageSchema,
  runStatusSchema,
  taskDetailSchema,
  taskGridSchema,
  workerGlanceSchema,
} from '@orchard/contracts';
import { z } from 'zod';
import { descriptionSchema } from '../datasets/describe-documents.js';
import { datasetOverviewSchema, datasetPageSchema } from '../datasets/dataset-documents.js';
import { splitsSchema } from '../datasets/split-documents.js';
import { signInSchema } from '../access/sign-in.js';
import { auditPageSchema, auditRecordSchema } from '../audit/audit-documents.js';
import { problemSchema } from '../http/problem.js';
import { healthSchema } from '../operations/health.js';
import { clusterLoadSchema } from '../operations/load.js';
import {
  completeAnswerSchema,
  completeRequestSchema,
  sampleAnswerSchema,
  sampleRequestSchema,
  scoreAnswerSchema,
  scoreRequestSchema,
} from '@orchard/questions';
import { choiceSchema, submissionSchema } from '../runs/wanted.js';

/** The schemas that have a name in the document; where one is used within another, it is referred to by it. */
const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  Problem: problemSchema,
  Health: healthSchema,
  ClusterLoad: clusterLoadSchema,
  Dataset: datasetFactsSchema,
  DatasetOverview: datasetOverviewSchema,
  DatasetPage: datasetPageSchema,
  TableDescription: descriptionSchema,
  RunRequest: submissionSchema,
  NetworkChoice: choiceSchema,
  RunOverview: runOverviewSchema,
  RunStatus: runStatusSchema,
  RunPage: runPageSchema,
  TaskGrid: taskGridSchema,
  TaskDetails: taskDetailSchema,
  Likelihood: likelihoodSchema,
  Worker: workerGlanceSchema,
  Cluster: clusterGlanceSchema,
  Splits: splitsSchema,
  Summary: modelSummarySchema,
  ScoreRequest: scoreRequestSchema,
  ScoreAnswer: scoreAnswerSchema,
  SampleRequest: sampleRequestSchema,
  SampleAnswer: sampleAnswerSchema,
  CompleteRequest: completeRequestSchema,
  CompleteAnswer: completeAnswerSchema,
  SignIn: signInSchema,
  AuditRecord: auditRecordSchema,
  AuditPage: auditPageSchema,
}))
  named.add(schema, { id });

const rendering = {
  // what only code can check is an object, which its description puts in words
  unrepresentable: ({ zodSchema }: { zodSchema: z.core.$ZodTypes }) =>
    zodSchema._zod.def.type === 'custom' ? { type: 'object' as const } : ('throw' as const),
  override: plainTuples,
};

const refer = (id: string): string => `#/components/schemas/${id}`;

export type JsonSchema = Record<string, unknown>;

/** All named schemas, for the document's `components`. OpenAPI 3.1 takes JSON Schema 2020-12 as it is. */
export function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(named, { ...rendering, uri: refer });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutNames(schema)]));
}

/** A reference to a named schema, or the schema itself. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const id = named.get(schema)?.id;
  return id === undefined ? withoutNames(z.toJSONSchema(schema, rendering)) : { $ref: refer(id) };
}

/** The properties of an object of parameters, each with its schema and whether it must be given. */
export function parametersOf(
  schema: z.ZodObject,
): { name: string; required: boolean; schema: JsonSchema; description: string }[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { default: standard, ...json } = withoutNames(z.toJSONSchema(field as z.ZodType, rendering)) as JsonSchema & {
      description?: string;
    };
    const required = !(field as z.ZodType).safeParse(undefined).success;
    const described = standard === undefined ? json : { ...json, default: standard };
    return { name, required, schema: described, description: json.description ?? name };
  });
}

/** A tuple of equal members as an array of fixed length, which older tools can read too. */
function plainTuples({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const { prefixItems } = jsonSchema;
  if (!Array.isArray(prefixItems) || new Set(prefixItems.map((item) => JSON.stringify(item))).size !== 1) return;
  delete jsonSchema['prefixItems'];
  jsonSchema['items'] = prefixItems[0];
}

function withoutNames(schema: object): JsonSchema {
  const { $schema, $id, ...rest } = schema as JsonSchema;
  void $schema;
  void $id;
  return rest;
}
