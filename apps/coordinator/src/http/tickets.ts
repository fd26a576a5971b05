import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { Token } from './tokens.js';

/** For how long a ticket opens its file. */
const TICKET_SECONDS = 60;
/** What a browser fetches by a link, without a header of ours. */
const file = /^\/v1\/runs\/[0-9a-f]{64}\/(network|model|report|summary)$/;

/**
 * Links that a browser can follow: a page cannot send its token along with a navigation, and a model of gigabytes is
 * not for its memory. A ticket is the time until which it is good, and a hash of it, the path and the query by the
 * coordinators' own secrets: any of them knows its own, and no other can make one. Where there are no secrets, since an
 * issuer alone says who comes in, each has one of its own, and knows its own links alone. It opens that one file, for a
 * minute, to be read.
 */
export class Tickets {
  readonly #key: Buffer;

  constructor(
    tokens: readonly Token[],
    private readonly now: () => number = Date.now,
  ) {
    const secrets = tokens.map(({ name, secret }) => `${name} ${secret}`).sort();
    if (secrets.length === 0) secrets.push(randomBytes(32).toString('hex'));
    this.#key = createHash('sha256')
      .update(`tickets\n${secrets.join('\n')}`)
      .digest();
  }

  /** The same path with its ticket. */
  link(path: string, query: URLSearchParams): string {
    const until = Math.ceil(this.now() / 1000) + TICKET_SECONDS;
    const rest = new URLSearchParams([...query].sort(([a], [b]) => (a < b ? -1 : 1)));
    rest.set('ticket', `${String(until)}.${this.#sign(path, rest, until)}`);
    return `${path}?${rest.toString()}`;
  }

  opens(request: Request): boolean {
    // a path of two slashes is one, and no host
    const address = `http://here${request.originalUrl}`;
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    const rest = new URLSearchParams([...url.searchParams].sort(([a], [b]) => (a < b ? -1 : 1)));
    const [, until, hash] = /^(\d{1,12})\.([\w-]{43})$/.exec(rest.get('ticket') ?? '') ?? [];
    if (until === undefined || hash === undefined || !['GET', 'HEAD'].includes(request.method)) return false;
    if (!file.test(url.pathname) || Number(until) * 1000 < this.now()) return false;
    rest.delete('ticket');
    const expected = this.#sign(url.pathname, rest, Number(until));
    return timingSafeEqual(Buffer.from(expected), Buffer.from(hash));
  }

  #sign(path: string, query: URLSearchParams, until: number): string {
    return createHmac('sha256', this.#key)
      .update(`${path}\n${query.toString()}\n${String(until)}`)
      .digest('base64url');
  }
}
