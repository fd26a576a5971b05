import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Leaves objects out of listings until they are so old, as stores outside S3's promise do: it says that a listing has
 * whatever was put before it began.
 */
export class LaggingListings {
  /** How old an object is when listings first have it. @default 0, as S3 promises */
  milliseconds = 0;
  /** Objects that were left out of a listing, once for each listing. */
  left = 0;
  readonly #putAt = new Map<string, number>();

  put(name: string): void {
    this.#putAt.set(decodeURIComponent(name), performance.now());
  }

  /** Whether that is a request for a listing that may lack something. */
  isOf({ method, url = '' }: IncomingMessage): boolean {
    return this.milliseconds > 0 && method === 'GET' && url.includes('list-type=2');
  }

  /** Passes a listing on without what is too young. */
  pass(answer: IncomingMessage, outgoing: ServerResponse): void {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const listing = Buffer.concat(chunks).toString();
      const body = listing.replace(/<Contents>.*?<\/Contents>/gs, (entry) => {
        const name = decodeURIComponent(/<Key>(.*?)<\/Key>/s.exec(entry)?.[1] ?? '');
        const age = performance.now() - (this.#putAt.get(name) ?? -Infinity);
        if (age >= this.milliseconds) return entry;
        this.left++;
        return '';
      });
      outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/xml' }).end(body);
    });
  }
}
