import { parseContract } from '@orchard/contracts';
import { isRefusal, Refusal } from '@orchard/refusal';
import { z } from 'zod';
import type { Document } from './frames.js';
import type { KeptModels } from './kept-models.js';
import { operations } from './operations/index.js';
import type { Work } from './operations/operation.js';

const openSchema = z.strictObject({ model: z.union([z.string(), z.instanceof(Uint8Array)]) });
const keySchema = z.strictObject({ model: z.string() });

/** One question by its operation: `open`, `close`, or what an open model answers. @throws Refusal */
export async function answerQuestion(
  operation: string,
  question: Document,
  models: KeptModels,
  onProgress: Work['onProgress'],
): Promise<Document> {
  if (operation === 'open') {
    const { key, model } = await models.open(parseContract(openSchema, question, 'open question').model);
    return { model: key, ...(await operations['describe']!(model, {})) };
  }
  if (operation === 'close') {
    models.close(parseContract(keySchema, question, 'close question').model);
    return {};
  }
  const ask = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (ask === undefined)
    throw new Refusal('invalid-argument', {
      got: `the operation ${JSON.stringify(operation.slice(0, 40))}`,
      expected: ['open', 'close', 'run', 'cancel', ...Object.keys(operations)].join(', '),
      remedy: 'Correct its name, or use a release that knows it.',
    });
  const { model: key, ...asked } = question;
  const { model, bytes } = models.get(parseContract(keySchema, { model: key }, 'question').model);
  return ask(model, asked, { bytes, onProgress });
}

/** What an error says, for programs. */
export interface ErrorAnswer {
  /** Of a refusal, as in the API; null for an internal failure. */
  readonly code: string | null;
  readonly message: string;
  readonly got: string | null;
  readonly expected: string | null;
  readonly where: string | null;
  readonly remedy: string | null;
}

export function errorAnswer(error: unknown): ErrorAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const refusal = isRefusal(error) ? error : null;
  return {
    code: refusal?.code ?? null,
    message,
    got: refusal?.got ?? null,
    expected: refusal?.expected ?? null,
    where: refusal?.where ?? null,
    remedy: refusal?.remedy ?? null,
  };
}
