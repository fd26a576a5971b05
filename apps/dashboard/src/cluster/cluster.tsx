import type { ClusterGlance } from '@orchard/contracts';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { follow, type Freshness } from './live.js';

/** Who looks at the page, and what may be sent. */
export interface Caller {
  readonly name: string;
  readonly access: 'read' | 'full';
  /** Absent where the runs are folders of this machine. */
  readonly role?: 'viewer' | 'submitter' | 'admin';
  readonly presets: readonly string[];
  readonly mostUploadBytes: number;
  /** `local` where the runs are folders of this machine, which no worker works on by request. */
  readonly place?: 'local';
}

interface Seen {
  readonly cluster: ClusterGlance | null;
  readonly freshness: Freshness;
  readonly caller: Caller;
}

const Context = createContext<Seen | null>(null);

/** What the cluster does, the same for the whole page: one stream, however many parts look at it. */
export function ClusterProvider({ caller, children }: { caller: Caller; children: ComponentChildren }) {
  const [cluster, setCluster] = useState<ClusterGlance | null>(null);
  const [freshness, setFreshness] = useState<Freshness>({ way: 'waiting', heardAt: null, reason: null });
  useEffect(() => follow('/v1/events', '/v1/cluster', setCluster, setFreshness), []);
  return <Context.Provider value={{ cluster, freshness, caller }}>{children}</Context.Provider>;
}

export function useCluster(): Seen {
  return useContext(Context)!;
}
