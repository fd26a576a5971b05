import type { SplitsAnswer } from '../datasets/split-documents.js';
import type { Role } from './roles.js';

/** What an audit record says of what was done, beside the ids in the path. */
export type What = Readonly<Record<string, unknown>>;

export interface Rule {
  readonly role: Role | 'anyone';
  /**
   * Of what changes something: what its answer says of what was done. What has none of it leaves no audit record, nor
   * does an answer of which this is null.
   */
  readonly did?: (answer: never) => What | null;
}

const looks: Rule = { role: 'viewer' };
const nothing = (): What => ({});

/** A data set, or those that the rows of a file were shared out to; null of rows that were only described. */
function stored(answer: { readonly id: string } | SplitsAnswer | { readonly variables: object }): What | null {
  if ('id' in answer) return { dataset: answer.id };
  if (!('train' in answer)) return null;
  return { datasets: [answer.train, answer.valid, answer.test].filter((id) => id !== null) };
}

/**
 * The role that every route asks for, and which of them change something. A coordinator with a route that stands not
 * here does not start, nor one with a line here that is not a route.
 */
export const routes: Readonly<Record<string, Rule>> = {
  'GET /health/live': { role: 'anyone' },
  'GET /health/ready': { role: 'anyone' },
  'GET /v1/sign-in': { role: 'anyone' },

  'GET /metrics': looks,
  'GET /v1/load': looks,
  'GET /v1/caller': looks,
  'GET /v1/cluster': looks,
  'GET /v1/events': looks,
  'GET /v1/garbage': looks,
  'GET /v1/retention': looks,
  'GET /v1/datasets': looks,
  'GET /v1/datasets/{id}': looks,
  'GET /v1/readings/{id}': looks,
  'GET /v1/runs': looks,
  'GET /v1/runs/{id}': looks,
  'GET /v1/runs/{id}/events': looks,
  'GET /v1/runs/{id}/tasks': looks,
  'GET /v1/runs/{id}/tasks/{kind}/{key}': looks,
  'GET /v1/runs/{id}/likelihood': looks,
  'GET /v1/runs/{id}/links/{file}': looks,
  'GET /v1/runs/{id}/notifications': looks,
  'GET /v1/runs/{id}/network': looks,
  'GET /v1/runs/{id}/model': looks,
  'GET /v1/runs/{id}/report': looks,
  'GET /v1/runs/{id}/summary': looks,
  'GET /v1/runs/{id}/slices/{slice}': looks,
  'GET /v1/runs/{id}/evaluation': looks,
  'GET /v1/networks/{id}/importance': looks,
  // computed from the body, changing nothing
  'POST /v1/networks/{id}/score': looks,
  'POST /v1/networks/{id}/sample': looks,
  'POST /v1/networks/{id}/complete': looks,
  'POST /v1/networks/{id}/check': looks,
  'POST /v1/networks/{id}/alarms': looks,
  'POST /v1/networks/{id}/compare': looks,

  // what describes rows stores nothing, but takes the place and the memory of an upload
  'POST /v1/datasets': { role: 'submitter', did: stored },
  'POST /v1/datasets/describe': { role: 'submitter' },
  'POST /v1/datasets/split': { role: 'submitter', did: stored },
  'POST /v1/readings': {
    role: 'submitter',
    did: ({ id, source }: { id: string; source: string }) => ({ reading: id, source }),
  },
  'POST /v1/runs': { role: 'submitter', did: ({ id }: { id: string }) => ({ run: id }) },
  'POST /v1/networks/{id}/samplings': { role: 'submitter', did: ({ id }: { id: string }) => ({ run: id }) },
  'POST /v1/networks/{id}/evaluations': { role: 'submitter', did: ({ id }: { id: string }) => ({ run: id }) },
  // these four of one's own runs; of others' they need the role admin (`runs/run-owners.ts`)
  'POST /v1/runs/{id}/cancel': { role: 'submitter', did: nothing },
  'DELETE /v1/runs/{id}': { role: 'submitter', did: nothing },
  'POST /v1/runs/{id}/pin': { role: 'submitter', did: nothing },
  'POST /v1/runs/{id}/unpin': { role: 'submitter', did: nothing },
  'POST /v1/runs/{id}/resume': { role: 'submitter', did: nothing },
  'POST /v1/runs/{id}/select': { role: 'submitter', did: nothing },
  'POST /v1/runs/{id}/repair': {
    role: 'submitter',
    did: ({ dropped }: { dropped: readonly string[] }) => firstOf('dropped', dropped),
  },

  'DELETE /v1/datasets/{id}': { role: 'admin', did: nothing },
  'DELETE /v1/garbage': { role: 'admin', did: removed },
  'GET /v1/audit': { role: 'admin' },
};

/** Ids in one record: what goes beyond is a number. */
const MOST_IDS = 1000;

function firstOf(name: string, ids: readonly string[]): What {
  const rest = ids.length - MOST_IDS;
  return { [name]: ids.slice(0, MOST_IDS), ...(rest > 0 ? { [`${name}NotListed`]: rest } : {}) };
}

function removed(answer: {
  readonly leftovers: readonly { readonly run: string; readonly objects: number }[];
  readonly uploads: readonly { readonly dataset: string }[];
  readonly datasets: readonly { readonly id: string }[];
}): What {
  return {
    objectsOfRuns: answer.leftovers.reduce((sum, { objects }) => sum + objects, 0),
    ...firstOf('runs', [...new Set(answer.leftovers.map(({ run }) => run))]),
    ...firstOf(
      'uploads',
      answer.uploads.map(({ dataset }) => dataset),
    ),
    ...firstOf(
      'datasets',
      answer.datasets.map(({ id }) => id),
    ),
  };
}

const patterns = Object.keys(routes).map((route) => {
  const [method, path] = route.split(' ') as [string, string];
  // as the router reads paths: in any case, with or without a slash at the end
  return { route, method, pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i') };
});

export interface Needed extends Rule {
  /** As in the table; null of a path that is not in it. */
  readonly route: string | null;
}

/** The role that a request needs. Pages that are not routes of the API (`/docs` and `/queues`) need the role viewer. */
export function neededFor(method: string, path: string): Needed {
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = patterns.find((one) => one.method === asked && one.pattern.test(path));
  if (found !== undefined) return { ...routes[found.route]!, route: found.route };
  return { role: ['GET', 'OPTIONS'].includes(asked) ? 'viewer' : 'admin', route: null };
}

/** @throws Error where the API and the table differ */
export function checkRoutes(paths: Readonly<Record<string, object>>): void {
  const there = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
  const odd = [
    ...there.filter((route) => routes[route] === undefined).map((route) => `${route} has no role`),
    ...Object.keys(routes)
      .filter((route) => !there.includes(route))
      .map((route) => `${route} is not a route`),
  ];
  if (odd.length > 0) throw new Error(`access/routes.ts: ${odd.join(', ')}`);
}
