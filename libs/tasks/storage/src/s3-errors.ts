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

const deniedNames = new Set([
  'AccessDenied',
  'AllAccessDisabled',
  'CredentialsProviderError',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
]);
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
  if (deniedNames.has(name)) return false;
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
  if (deniedNames.has(name) || status === 401 || status === 403) {
    return fail(
      'denied',
      'Check the credentials; they need to get, put, delete and list (s3:ListBucket) in this bucket.',
    );
  }
  if (status === 507 || name === 'XMinioStorageFull' || name === 'QuotaExceeded') {
    return fail('full', 'Free some space in the bucket, then go on: nothing that was stored is lost.');
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
