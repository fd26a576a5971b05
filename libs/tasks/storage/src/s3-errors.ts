import { StorageError } from './errors.js';

/** What an SDK failure says: the server's name for it, or the system's where no answer came, and the HTTP status. */
export interface Failure {
  readonly name: string;
  readonly status: number | undefined;
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof StorageError) return { name: error.code, status: undefined };
  if (!(error instanceof Error)) return { name: 'UnknownFailure', status: undefined };
  const { $metadata, code, Code } = error as {
    $metadata?: { httpStatusCode?: number };
    code?: unknown;
    Code?: unknown;
  };
  const names = [Code, code, error.name].filter((name) => typeof name === 'string');
  return { name: names[0] ?? 'UnknownFailure', status: $metadata?.httpStatusCode };
}

/** The condition of a create-only put was not met: the name is taken. */
export function isTaken(error: unknown): boolean {
  const { name, status } = describeFailure(error);
  return status === 412 || name === 'PreconditionFailed';
}

export function isMissing(error: unknown): boolean {
  const { name, status } = describeFailure(error);
  return (
    name === 'NoSuchKey' ||
    name === 'NotFound' ||
    (status === 404 && name !== 'NoSuchBucket' && name !== 'NoSuchUpload')
  );
}

/** The upload is gone: it was completed by a request whose answer was lost, or removed. */
export function isUploadGone(error: unknown): boolean {
  return describeFailure(error).name === 'NoSuchUpload';
}

/** The range begins at or after the end of the object. */
export function isBeyondEnd(error: unknown): boolean {
  const { name, status } = describeFailure(error);
  return status === 416 || name === 'InvalidRange';
}

/** The server knows no conditional writes. */
export function isNotImplemented(error: unknown): boolean {
  const { name, status } = describeFailure(error);
  return status === 501 || name === 'NotImplemented';
}

/** Credentials that are of no use, by what to do about them. */
const key = 'Check the access key and its secret: the server does not know the one, or the other does not fit.';
const token = 'Renew the credentials: temporary ones have an end, and this program was not given new ones.';
const rights = 'Check the rights of the key; it needs to get, put, delete and list (s3:ListBucket) in this bucket.';
const deniedNames: ReadonlyMap<string, string> = new Map([
  ['AccessDenied', rights],
  ['AllAccessDisabled', rights],
  ['CredentialsProviderError', 'Give credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role.'],
  ['ExpiredToken', token],
  ['ExpiredTokenException', token],
  ['InvalidAccessKeyId', key],
  ['InvalidToken', token],
  ['SignatureDoesNotMatch', key],
]);
/** No room, under any status: a quota is a 403 to some servers. */
const fullNames = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'EntityTooLargeForQuota',
]);
const clockNames = new Set(['RequestTimeTooSkewed', 'RequestExpired']);
/** Of the connection, before any answer: as it is configured it never comes about. */
const tlsNames = /^(EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH)/;
/**
 * Servers on file systems, where a name cannot be a folder of others too. versitygw also says so where a folder was
 * removed with its last object while a new one was on its way into it, which passes.
 */
const folderNames = /ParentIs|IsDirectory|ObjectExistsAsDirectory/;
/** Answered with 400, but passing. */
const passingNames = new Set([
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'SlowDown',
  'BadDigest',
  'IncompleteBody',
  'XAmzContentChecksumMismatch',
]);

/** Whether the same request may succeed at once or soon: no answer, a busy server, a race of two writers. */
export function isPassing(error: unknown): boolean {
  // what a connection has cut or bent is whole the next time
  if (error instanceof StorageError) return error.retryable || error.code === 'damaged';
  // a mistake of a program fails in the same way again
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) return false;
  const { name, status } = describeFailure(error);
  if (deniedNames.has(name) || fullNames.has(name) || tlsNames.test(name)) return false;
  if (status === undefined || status === 200) return true;
  return status >= 500 ? status !== 501 : status === 429 || status === 408 || status === 409 || passingNames.has(name);
}

/** The failure as this library reports it; `tried` is the number of attempts made. */
export function failure(where: string, error: unknown, tried: number): StorageError {
  if (error instanceof StorageError) return error;
  const { name, status } = describeFailure(error);
  const answer = status === undefined ? name : `${name} (${status})`;
  const times = tried === 1 ? '' : `, ${tried} times in a row,`;
  const fail = (code: ConstructorParameters<typeof StorageError>[0], remedy: string): StorageError =>
    new StorageError(
      code,
      { got: `${answer}${times} from object storage`, expected: 'success', where, remedy },
      { cause: withoutRequest(error) },
    );
  if (name === 'NoSuchBucket') return fail('invalid-configuration', 'Create the bucket, or correct its name.');
  if (folderNames.test(name)) return fail('conflict', 'No object may be named as a folder of others.');
  if (status === 507 || fullNames.has(name)) {
    return fail(
      'full',
      'Free some space in the bucket or raise its quota, then go on: nothing that was stored is lost.',
    );
  }
  if (clockNames.has(name)) {
    return fail('denied', `Set the clocks: this machine's says ${new Date().toISOString()}, and the server's differs.`);
  }
  if (deniedNames.has(name) || status === 401 || status === 403) {
    return fail('denied', deniedNames.get(name) ?? rights);
  }
  if (tlsNames.test(name)) {
    return fail(
      'invalid-configuration',
      'Check http and https in the endpoint; give the authority of a certificate of your own in NODE_EXTRA_CA_CERTS.',
    );
  }
  if (status === 301 || status === 307 || name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed') {
    return fail('invalid-configuration', 'The bucket is in another region: set the region that the server names.');
  }
  if (isPassing(error) || isUploadGone(error))
    return fail('unavailable', 'Check that the server runs and can be reached, then try again.');
  return fail('unsupported', 'Check that the endpoint is an S3 server, and its version.');
}

/** An SDK failure carries the whole exchange, signature and sockets too, which have no place in a log. */
function withoutRequest(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const plain = new Error(error.message);
  plain.name = error.name;
  if (error.stack !== undefined) plain.stack = error.stack;
  return plain;
}
