import type { RedisServer, S3Server } from '../servers/index.mjs';

/** A folder that keeps what a cluster stored, taken for this process. */
export interface DataFolder {
  readonly path: string;
  /** Of the S3 server. */
  readonly store: string;
  /** Whose files lie there. */
  readonly server: 'minio' | 'versitygw';
  /** The same at each start. */
  readonly token: string;
  readonly readToken: string;
  /** Whether nothing was stored there yet. */
  readonly isNew: boolean;
  /** Lets others take it; once the cluster has ended. */
  release(): void;
}

export interface ClusterOptions {
  /** Worker processes. @default 2 */
  workers?: number;
  /** Threads of each worker. @default all cores, shared among them */
  threads?: number;
  /** Of the coordinator. @default a free one */
  port?: number | undefined;
  /**
   * What other machines call this one: the servers then listen for them too, with a password and keys.
   *
   * @default loopback alone
   */
  host?: string | undefined;
  /** One that runs already and outlives the cluster. @default its own, with an append-only file */
  redis?: RedisServer;
  /** One that runs already and outlives the cluster. @default its own */
  s3?: S3Server;
  /** Where its S3 server keeps what is stored; its tokens are those of the folder. @default a temporary one */
  data?: DataFolder | undefined;
  /** Variables for all programs, beside and before those that join them. */
  environment?: Readonly<Record<string, string>>;
  /** Told what takes long. @default console.error */
  say?: (line: string) => void;
  /** Ends the start at once, whatever it waits for. */
  signal?: AbortSignal | undefined;
  /** Told every line that a program logs, by its name. */
  onLog?: (program: string, line: string) => void;
}

export interface Program {
  /** As `coordinator` or `worker 2`. */
  readonly name: string;
  /** Where it answers `/health/ready`. */
  readonly port: number;
  readonly pid: number;
  /** How it ended, once it has; never rejects. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Cluster {
  readonly url: string;
  readonly token: string;
  /** Of read-only access. */
  readonly readToken: string;
  readonly redis: RedisServer;
  readonly s3: S3Server;
  readonly coordinator: Program;
  readonly selector: Program;
  /** Those that were asked for; more come by `startWorker`. */
  readonly workers: readonly Program[];
  startWorker(): Promise<Program>;
  /** One more, beside the first; or another in its place. */
  startCoordinator(port?: number): Promise<Program>;
  /** What all programs were told. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends everything that it started. */
  stop(): Promise<void>;
}

/** @throws Error with what a program printed, where one does not become ready */
export function startCluster(options?: ClusterOptions): Promise<Cluster>;
