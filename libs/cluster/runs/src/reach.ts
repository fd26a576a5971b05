import type { Notice } from '@orchard/contracts';

/** A server that this process needs, as its connection knows it. */
export interface Server {
  /** Since when it does not answer, in milliseconds since 1970, and how that showed; null while it answers. */
  readonly outage: {
    readonly since: number;
    readonly reason: string;
    /** Whether the server is there, and refuses. */
    readonly isAnswering?: boolean;
  } | null;
  /** What people should change at a server that answers, a sentence. */
  readonly warning?: string | null;
  /** Calls `listener` whenever the server goes away or comes back. */
  onChange(listener: () => void): void;
}

export interface Servers {
  readonly store?: Server | undefined;
  readonly redis?: Server | undefined;
}

const names = { store: 'object storage', redis: 'Redis' } as const;

/**
 * What this coordinator cannot reach. It stands in the way of every run, from the moment that it shows and not from the
 * next pass.
 */
export class Reach {
  #warned: { readonly warning: string; readonly since: string } | null = null;

  constructor(private readonly servers: Servers) {}

  notices(): Notice[] {
    const notices: Notice[] = [];
    for (const server of ['store', 'redis'] as const) {
      const outage = this.servers[server]?.outage ?? null;
      if (outage === null) continue;
      const message =
        outage.isAnswering === true
          ? `${names[server].replace(/^o/, 'O')} refuses the coordinator: ${outage.reason.replace(/\.$/, '')}. Runs continue when it no longer does.`
          : `The coordinator cannot reach ${names[server]}: ${outage.reason}. Runs continue when it answers again.`;
      notices.push({ code: `${server}-away`, message, since: new Date(outage.since).toISOString() });
    }
    return notices;
  }

  /** What stands in no run's way yet. */
  warnings(): Notice[] {
    const { warning = null } = this.servers.redis ?? {};
    if (warning === null) return [];
    return [{ code: 'redis-evicts', message: warning, since: this.#since(warning) }];
  }

  onChange(listener: () => void): void {
    this.servers.store?.onChange(listener);
    this.servers.redis?.onChange(listener);
  }

  #since(warning: string): string {
    if (this.#warned?.warning !== warning) this.#warned = { warning, since: new Date().toISOString() };
    return this.#warned.since;
  }
}
