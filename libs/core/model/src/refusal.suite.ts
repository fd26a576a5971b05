import { ModelError } from './errors.js';

/** The error that an action ends with. @throws where it ends well, or with another kind of error */
export function refusal(action: () => unknown): ModelError {
  try {
    action();
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
