import { StorageError } from '../errors.js';

/** Rows that lie elsewhere: in a bucket, or on a web server. */
export type RemoteAddress = BucketAddress | WebAddress;

export interface BucketAddress {
  readonly kind: 's3';
  readonly bucket: string;
  /** A key, the beginning of keys (it ends with a slash, or is empty), or a glob of keys. */
  readonly key: string;
  readonly sha256: string | null;
}

export interface WebAddress {
  readonly kind: 'web';
  /** Without the checksum. */
  readonly url: string;
  readonly isSecure: boolean;
  readonly sha256: string | null;
}

/** Whether rows are given by an address and not by a path. */
export function isRemote(given: string): boolean {
  return /^(s3|https?):\/\//i.test(given);
}

/**
 * An address, and the checksum behind it: `https://host/rows.csv#sha256=0f3a…`.
 *
 * @throws StorageError `invalid-name` for what is none
 */
export function remoteAddress(given: string): RemoteAddress {
  const [, plain = given, sum] = /^(.*?)(?:#sha256=(.*))?$/is.exec(given) ?? [];
  if (sum !== undefined && !/^[0-9a-f]{64}$/i.test(sum))
    throw refusal(
      given,
      `the checksum ${JSON.stringify(sum)}`,
      '64 hexadecimal digits behind #sha256=',
      'Give that of sha256sum.',
    );
  const sha256 = sum?.toLowerCase() ?? null;
  if (/^s3:/i.test(plain)) {
    const [, bucket = '', key = ''] = /^s3:\/\/([^/]*)\/?(.*)$/is.exec(plain) ?? [];
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
      throw refusal(
        given,
        `the bucket ${JSON.stringify(bucket)}`,
        'an address as s3://bucket/folder/*.parquet',
        'Correct the address.',
      );
    return { kind: 's3', bucket, key, sha256 };
  }
  const url = URL.canParse(plain) ? new URL(plain) : null;
  if (url === null)
    throw refusal(given, 'an address that cannot be read', 'an address as https://host/rows.csv', 'Correct it.');
  if (url.username !== '' || url.password !== '')
    throw refusal(
      withoutSecret(plain),
      'a name and a password in the address',
      'an address without them',
      'Give a signed address, or download the file first.',
    );
  const isSecure = url.protocol === 'https:';
  if (!isSecure && sha256 === null)
    throw refusal(
      given,
      'http, on which anybody on the way can change the rows',
      'https, or the checksum of the file',
      'Use https, or add #sha256= and what sha256sum prints of the file.',
    );
  return { kind: 'web', url: plain, isSecure, sha256 };
}

/** The address as messages show it: what stands behind a question mark may be a signature. */
export function withoutSecret(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, '$1').replace(/\?.*$/s, '');
}

function refusal(where: string, got: string, expected: string, remedy: string): StorageError {
  return new StorageError('invalid-name', { got, expected, where: withoutSecret(where), remedy });
}
