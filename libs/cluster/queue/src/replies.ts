import type { Redis } from 'ioredis';
import { placeOf, QueueError, type QueueErrorCode } from './errors.js';

/** Redis repeats what it does not understand, and that may be `AUTH` with its password. */
export function withoutArguments(text: string): string {
  return text.replace(/,? with args beginning with: .*/g, '');
}

/** Whether an error is what a server answered to a command, in the words of its client. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

interface Kind {
  readonly code: QueueErrorCode;
  /** Of the message of an error. */
  readonly means: RegExp;
  readonly remedy: string;
}

const credentials = 'Correct user and password in ORCHARD_REDIS_URL (redis://user:password@host:port).';
const certificate = 'Give its authority in NODE_EXTRA_CA_CERTS, and name the host as its certificate does.';

/** What servers and TLS say when waiting does not mend it, or when the server itself needs a change. */
const kinds: readonly Kind[] = [
  {
    code: 'refused',
    means: /^(WRONGPASS|NOAUTH)|invalid (username-)?password|AUTH <password> called/i,
    remedy: credentials,
  },
  { code: 'refused', means: /unknown command [`']?(AUTH|HELLO)/i, remedy: `${credentials} This server knows no AUTH.` },
  {
    code: 'refused',
    means: /^NOPERM/,
    remedy:
      'Let this user run the commands of BullMQ on keys and channels of ORCHARD_REDIS_PREFIX: +@all ~PREFIX* &PREFIX*.',
  },
  {
    code: 'refused',
    means: /wrong version number|packet length too long|ssl3_get_record|EPROTO/i,
    remedy: 'The server speaks no TLS here: write redis:// in ORCHARD_REDIS_URL, or name its TLS port.',
  },
  {
    code: 'refused',
    means: /^Protocol error/,
    remedy:
      'What answers there is not Redis, or Redis behind TLS: write rediss:// in ORCHARD_REDIS_URL, or correct the port.',
  },
  {
    code: 'refused',
    means: /certificate|self.signed|ERR_TLS|altnames/i,
    remedy: certificate,
  },
  {
    code: 'busy',
    means: /^BUSY /,
    remedy: 'A script or function blocks it: SCRIPT KILL, or FUNCTION KILL, ends that.',
  },
  { code: 'busy', means: /^LOADING/, remedy: 'It reads its data from disk; wait.' },
  {
    code: 'busy',
    means: /max number of clients/i,
    remedy: 'Raise maxclients, or end what else is connected: each program of a cluster has three connections.',
  },
  {
    code: 'read-only',
    means: /^MISCONF.*AOF/,
    remedy: 'Make room on the disk of Redis, or switch its append-only file off (CONFIG SET appendonly no).',
  },
  {
    code: 'read-only',
    means: /^MISCONF/,
    remedy: 'Make room on the disk of Redis, or switch its snapshots off (CONFIG SET save "").',
  },
  {
    code: 'read-only',
    means: /^NOREPLICAS/,
    remedy: 'Bring its replicas back, or lower min-replicas-to-write.',
  },
  { code: 'read-only', means: /^OOM/, remedy: 'Raise maxmemory, or remove what else is kept there.' },
  {
    code: 'read-only',
    means: /^(READONLY|MASTERDOWN)/,
    remedy: 'This is a replica: let the name in ORCHARD_REDIS_URL lead to the primary.',
  },
];

/** A server that answers, and refuses: what it said, and what to do. Null for other errors. */
export function refusalOf(redis: Pick<Redis, 'options'>, error: unknown): QueueError | null {
  if (error instanceof QueueError || !(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  const text = withoutArguments(error.message);
  const kind = kinds.find(({ means }) => means.test(text) || (typeof code === 'string' && means.test(code)));
  if (kind === undefined && !isReply(error)) return null;
  return new QueueError(
    kind?.code ?? 'busy',
    {
      got: JSON.stringify(text.slice(0, 200)),
      expected: 'a Redis that takes commands',
      where: placeOf(redis),
      remedy: kind?.remedy ?? 'Check the log of the server.',
    },
    { cause: error },
  );
}

/** Whether the same connection is refused until the address or the users of the server are changed. */
export function isForGood(error: QueueError | null): boolean {
  return error?.code === 'refused';
}
