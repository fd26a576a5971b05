import type { DensityModel } from '@orchard/model';
import type { Document } from '../frames.js';

/**
 * A question that a model answers: from its document to the document of the answer. It knows nothing of processes,
 * frames or files, so that any server may offer it.
 *
 * @throws Refusal for what is not a question, and for what this model has no answer to
 */
export type Operation = (model: DensityModel, question: Document) => Promise<Document> | Document;
