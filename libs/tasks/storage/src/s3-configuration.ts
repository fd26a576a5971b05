import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { StorageError } from './errors.js';
import { isName } from './names.js';

export interface S3Configuration {
  readonly bucket: string;
  /** Folders within the bucket under which all objects live. @default none */
  readonly prefix?: string;
  /** Of a server that is not AWS, like `http://127.0.0.1:9000`. @default AWS */
  readonly endpoint?: string;
  /**
   * The same server as others reach it, for presigned URLs alone; nothing is sent there from here. A proxy on the way
   * must leave the `Host` header and the path as they are: both are signed.
   * @default the endpoint
   */
  readonly publicEndpoint?: string;
  /** @default what the SDK finds (environment, profile); `us-east-1` where an endpoint is given */
  readonly region?: string;
  /** The bucket in the path (`host/bucket/key`) instead of the host name. @default true where an endpoint is given */
  readonly pathStyle?: boolean;
  /** @default the SDK's own chain: environment, profile, web identity, container, instance */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** How long a request may go without any progress, in milliseconds. @default 20000 */
  readonly timeout?: number;
  /** How often a request is tried before its failure is reported. @default 6 */
  readonly attempts?: number;
  /**
   * The mean wait before the second attempt, in milliseconds; it doubles from attempt to attempt, up to 5 s.
   *
   * @default 100
   */
  readonly backoff?: number;
  /** Larger objects are written in parts of this many bytes, four at a time. At least 5 MiB. @default 16 MiB */
  readonly partSize?: number;
  /** Called for every attempt, for metrics. */
  readonly onAttempt?: (attempt: S3Attempt) => void;
}

export interface S3Attempt {
  readonly operation: 'put' | 'get' | 'head' | 'list' | 'delete' | 'multipart';
  /** 1 for the first. */
  readonly attempt: number;
  readonly seconds: number;
  /** `ok`, or the server's or the system's name of the failure. */
  readonly outcome: string;
}

const smallestPart = 5 * 2 ** 20;

/** The configuration with its defaults. */
export type Resolved = Required<Pick<S3Configuration, 'bucket' | 'timeout' | 'attempts' | 'backoff' | 'partSize'>> & {
  /** Ends with a slash where it is not empty. */
  readonly prefix: string;
  readonly onAttempt: (attempt: S3Attempt) => void;
};

/** @throws StorageError `invalid-configuration` */
export function resolve(configuration: S3Configuration): Resolved {
  const { bucket, prefix = '', endpoint, timeout = 20_000, attempts = 6, backoff = 100 } = configuration;
  const { partSize = 16 * 2 ** 20, onAttempt = () => undefined } = configuration;
  const refuse = (got: string, expected: string): never => {
    throw new StorageError('invalid-configuration', {
      got,
      expected,
      remedy: 'Correct the configuration of object storage.',
    });
  };
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    refuse(`the bucket ${JSON.stringify(bucket)}`, '3 to 63 lower-case letters, digits, dots and dashes');
  }
  if (prefix !== '' && !isName(prefix))
    refuse(`the prefix ${JSON.stringify(prefix)}`, 'folders, without a slash at either end');
  if (prefix.length > 200) refuse(`a prefix of ${prefix.length} characters`, 'at most 200');
  for (const one of [endpoint, configuration.publicEndpoint]) {
    if (one === undefined || (/^https?:/.test(one) && URL.canParse(one))) continue;
    refuse(`the endpoint ${JSON.stringify(one)}`, 'an http or https URL');
  }
  if (!(partSize >= smallestPart && Number.isInteger(partSize))) refuse(`parts of ${partSize} bytes`, 'at least 5 MiB');
  if (!(attempts >= 1 && timeout > 0 && backoff >= 0)) {
    refuse(`${attempts} attempts of ${timeout} ms, ${backoff} ms apart`, 'at least one attempt, and some time for it');
  }
  return { bucket, prefix: prefix && `${prefix}/`, timeout, attempts, backoff, partSize, onAttempt };
}

/** Who signs URLs: the client itself, unless others know the server by another name. It makes no request. */
export function signerOf(client: S3Client, configuration: S3Configuration, resolved: Resolved): S3Client {
  const { endpoint, publicEndpoint, pathStyle = endpoint !== undefined } = configuration;
  if (publicEndpoint === undefined) return client;
  return connect({ ...configuration, endpoint: publicEndpoint, pathStyle }, resolved);
}

/** Retries are this library's own, since create-only puts need to know of them; the SDK makes none. */
export function connect(configuration: S3Configuration, { timeout }: Resolved): S3Client {
  const { endpoint, region, pathStyle = endpoint !== undefined, credentials } = configuration;
  const options: S3ClientConfig = {
    maxAttempts: 1,
    forcePathStyle: pathStyle,
    // asking before a body is sent takes a round trip, and in this SDK a connection of its own for every large put
    expectContinueHeader: false,
    // a body is signed by its SHA-256, which the server holds what it gets against: no other sum is needed beside it
    requestChecksumCalculation: 'WHEN_REQUIRED',
    // what is read is held against the SHA-256 that was kept when it was written
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(timeout, 5000),
      socketTimeout: timeout,
      // requests beyond the number of sockets wait: many at once are not a fault
      socketAcquisitionWarningTimeout: 600_000,
    },
  };
  if (endpoint !== undefined) options.endpoint = endpoint;
  if (region !== undefined) options.region = region;
  else if (endpoint !== undefined) options.region = 'us-east-1';
  if (credentials) options.credentials = credentials;
  // its first client prints eight lines under Node 20 about releases of 2027. The release here is pinned and runs on
  // it: when you raise the SDK decides about Node, and not who uses a command
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return new S3Client(options);
}
