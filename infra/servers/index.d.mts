/** Where a server came from, in the order in which they are looked for. */
export type Source = 'environment' | 'path' | 'container' | 'cache';

export interface Server {
  readonly source: Source;
  /** Null for a server of the environment. */
  readonly port: number | null;
  /** Of the server itself, to be stopped or killed by a test; null in a container or where it is the environment's. */
  readonly pid: number | null;
  /** How it ended, once it has; never rejects. */
  readonly ended: Promise<string>;
  /** What it has printed so far. */
  log(): string;
  /** Ends it, waits until it is gone, and removes its data unless their directory was given. */
  stop(): Promise<void>;
}

export interface RedisServer extends Server {
  readonly url: string;
}

export interface S3Server extends Server {
  readonly kind: 'minio' | 'versitygw' | 'other';
  readonly url: string;
  readonly region: string;
  /** Exists already. In a server of the environment it may hold things of others: use a prefix. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface StartOptions {
  /** One that may be stopped and filled up, so never the one of the environment. @default false */
  own?: boolean;
  /** @default a free one */
  port?: number;
  /** Where its data are kept after its end, so that it can be started again with them. @default a temporary one */
  directory?: string;
  /** Told, one line at a time, what is tried and what takes long. @default console.error */
  say?: (line: string) => void;
  /** Ends all waiting at once. */
  signal?: AbortSignal | undefined;
}

export interface RedisOptions extends StartOptions {
  /** @default false */
  appendOnly?: boolean;
  /** In bytes. @default no limit */
  maxMemory?: number;
  /** Asked of every client; the server then listens for other machines too. @default none, and loopback alone */
  password?: string;
  /** More of the server's own. */
  flags?: readonly string[];
}

export interface S3Options extends StartOptions {
  /** This one and no other. @default whichever is found first */
  server?: 'minio' | 'versitygw';
  /** Whether it listens for other machines too; its keys keep others out. @default false */
  isOpen?: boolean;
}

export interface Found {
  readonly source: Source;
  readonly what: string;
}

/** There is none and none could be got; the message says what to install. */
export class ServerUnavailable extends Error {
  readonly remedy: string;
}

export function startRedis(options?: RedisOptions): Promise<RedisServer>;
export function startS3(options?: S3Options): Promise<S3Server>;
/** Finds or gets one without starting it. @throws ServerUnavailable */
export function findRedis(options?: Pick<RedisOptions, 'own' | 'say' | 'signal'>): Promise<Found>;
/** Finds or gets one without starting it. @throws ServerUnavailable */
export function findS3(
  options?: Pick<S3Options, 'own' | 'server' | 'say' | 'signal'>,
): Promise<Found & Pick<S3Server, 'kind'>>;
