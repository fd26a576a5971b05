import { setTimeout as sleep } from 'node:timers/promises';
import { ServerError } from '../output/server-error.js';
import type { Login } from './config.js';
import { problemSchema } from './documents.js';

/** Of a coordinator that is asked too often: after waits of so long in all a request is given up. */
const PATIENCE_SECONDS = 120;
const LEAST_WAIT_SECONDS = 0.1;
/** So long a request waits for a coordinator that is being restarted. */
const RESTART_SECONDS = 60;

/** Why a request waits before it is repeated: the coordinator asked it to, or cannot be reached. */
export type RequestWait = { readonly seconds: number } | { readonly away: string };

/**
 * Requests to a coordinator, repeated where they can succeed later. Where the coordinator is asked too often, it says
 * when to ask again, and a request does so for two minutes. Where it has answered before and refuses a connection, it
 * is being restarted, and a request tries for a minute.
 */
export class CoordinatorRequests {
  #hasAnswered = false;

  /** @param onWait called each time that the coordinator asks for a wait, and once per request where it is away */
  constructor(
    private readonly login: Login,
    private readonly onWait: (wait: RequestWait) => void = () => undefined,
  ) {}

  /**
   * @param restartSeconds how long to wait for a coordinator that is being restarted
   * @throws ServerError for every answer that is an error, and where there is none
   */
  async send(
    method: string,
    path: string,
    init: RequestInit = {},
    restartSeconds = RESTART_SECONDS,
  ): Promise<Response> {
    const { server, token } = this.login;
    const headers = {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(init.headers as Record<string, string>),
    };
    let awaySince: number | null = null;
    for (let waited = 0, brokenOff = false; ;) {
      let response: Response;
      try {
        response = await fetch(server + path, { ...init, method, headers });
        this.#hasAnswered = true;
      } catch (cause) {
        // the server closes connections that it takes for idle, as while rows are read; all requests may be repeated
        if (!brokenOff && isBrokenOff(cause)) {
          brokenOff = true;
          continue;
        }
        const now = performance.now();
        const isRestarted = this.#hasAnswered && codeOf(cause) === 'ECONNREFUSED';
        if (!isRestarted || now - (awaySince ?? now) >= 1000 * restartSeconds) throw unreachable(server, cause);
        if (awaySince === null) this.onWait({ away: unreachable(server, cause).message });
        awaySince ??= now;
        await sleep(1000);
        continue;
      }
      if (response.ok) return response;
      const { status } = response;
      const text = await response.text();
      const seconds = Math.max(LEAST_WAIT_SECONDS, secondsUntil(response.headers.get('Retry-After')));
      waited += seconds;
      if (status !== 429 || waited > PATIENCE_SECONDS) {
        const error = serverError(
          jsonOf(text) ?? { detail: `${server} answered ${status}.`, code: 'no-problem', status },
        );
        throw isUnknownHere(error) ? olderRelease(`${method} ${withoutQuery(path)}`, error) : error;
      }
      this.onWait({ seconds });
      await sleep(seconds * 1000);
    }
  }
}

const sameRelease = 'Use the program and the coordinator of one release.';

/** @param unknown what this program asked of a coordinator that does not know it */
export function olderRelease(unknown: string, cause: ServerError): ServerError {
  const detail = `The coordinator is of an older release than this program: to it ${unknown} is unknown. ${sameRelease}`;
  const parts = { ...(cause.parts ?? { got: unknown, expected: 'what it knows' }), remedy: sameRelease };
  return new ServerError({ detail, code: cause.code, status: 400, ...parts }, { cause });
}

/** Whether a coordinator has no such path, or no such method of it: other refusals of these codes are of a run. */
function isUnknownHere({ code, parts }: ServerError): boolean {
  return code === 'method-not-allowed' || (code === 'not-found' && parts?.expected === 'a path of the API');
}

function withoutQuery(path: string): string {
  return path.replace(/\?.*$/, '');
}

/** What `Retry-After` says, in seconds: a number of them, or a date; 1 where it says nothing. */
function secondsUntil(retryAfter: string | null): number {
  if (retryAfter === null || retryAfter.trim() === '') return 1;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 1 : (date - Date.now()) / 1000;
}

export function serverError(value: unknown): ServerError {
  const problem = problemSchema.safeParse(value);
  return new ServerError(
    problem.success
      ? problem.data
      : { detail: 'The server answered with an error that is none of a coordinator.', code: 'no-problem' },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a connection that was made ended before an answer. */
function isBrokenOff(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** What a failed `fetch` failed by. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
  return String(cause?.code);
}

function unreachable(server: string, cause: unknown): ServerError {
  const reason =
    cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
  const detail = `${server} cannot be reached (${reason}). ${wayTo(reason)}`;
  return new ServerError({ detail, code: 'unreachable' }, { cause });
}

/** Ports of other protocols, such as 6000 of X11, are refused by fetch before it connects. */
function wayTo(reason: string): string {
  if (reason === 'bad port')
    return 'HTTP clients refuse this port, which is known for another protocol: have the coordinator listen on another (ORCHARD_PORT).';
  return 'Check the address (--server, ORCHARD_SERVER), and that a coordinator listens there.';
}
