import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** By server: null where there is one, otherwise what to install. */
    missingServers: { redis: string | null; s3: string | null };
    /** The folder of the runs that others are compared with. */
    specimens: string;
  }
}

/** Whether one of these servers is missing: `describe.skipIf(lacks('redis', 's3'))('the cluster', …)`. */
export function lacks(...servers: readonly ('redis' | 's3')[]): boolean {
  const missing = inject('missingServers');
  return servers.some((server) => missing[server] !== null);
}
