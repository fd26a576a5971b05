import { pino, type Logger } from 'pino';

/** One line of JSON an event, on standard error. Whatever is called like a secret is left out. */
export function createLog(level: string): Logger {
  const secrets = ['token', 'secret', 'password', 'authorization', 'secretAccessKey', 'sessionToken'];
  return pino(
    {
      name: 'coordinator',
      level,
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: 'removed' },
      serializers: { error: pino.stdSerializers.errWithCause },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
