import { pino, type DestinationStream, type Logger } from 'pino';
import { loggedError } from './logged-error.js';

const secrets = ['token', 'secret', 'password', 'authorization', 'secretAccessKey', 'sessionToken'];

/**
 * The log of a program: one line of JSON an event, on standard error. Errors are `err` or `error`, and come without the
 * command that failed; whatever is called like a secret is left out.
 *
 * @param name of the program
 */
export function createLog(name: string, level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      name,
      level,
      redact: { paths: secrets.flatMap((one) => [one, `*.${one}`, `*.*.${one}`]), censor: 'removed' },
      serializers: { err: loggedError, error: errorOrText },
    },
    destination,
  );
}

/** Where only the words of an error are logged, they stay a text. */
function errorOrText(value: unknown): unknown {
  return value instanceof Error ? loggedError(value) : value;
}

const standardError = (): DestinationStream => pino.destination({ fd: 2, sync: true });
