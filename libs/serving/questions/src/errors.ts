import { Refusal } from '@orchard/refusal';

/**
 * - `invalid-request`: a value that no row has
 * - `over-limit`: rows of another width, or more than one question may ask for
 */
export type QuestionErrorCode = 'invalid-request' | 'over-limit';

/** A question that a model does not answer. */
export class QuestionError extends Refusal<QuestionErrorCode> {}
