import { ModelError } from '../errors.js';

/**
 * A model of what the body of a file says, where its parts refuse what they cannot be made of by a RangeError.
 *
 * @param expected what the file should have there
 * @throws ModelError `not-a-network-file`
 */
export function madeOfBody<Made>(expected: string, make: () => Made, where = 'body'): Made {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const remedy = 'Get the file again from where it was made.';
    throw new ModelError('not-a-network-file', { got: cause.message, expected, where, remedy }, { cause });
  }
}
