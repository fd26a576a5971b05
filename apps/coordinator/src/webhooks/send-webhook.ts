import { createHmac } from 'node:crypto';
import type { Outcome } from './deliveries.js';

const answerMilliseconds = 10_000;

/** What is sent of the end of a run: no more than any viewer may see. */
export interface RunEnd {
  readonly event: 'run-ended';
  readonly run: string;
  readonly name: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly family: string;
  readonly state: string;
  readonly reason: string | null;
  readonly submittedAt: string;
  readonly endedAt: string;
  readonly submittedBy: string | null;
}

/** `t=<seconds since 1970>,v1=<HMAC-SHA256 of "seconds.body" in hexadecimal digits>`. */
export function signatureOf(secret: string, body: string, seconds: number): string {
  const hash = createHmac('sha256', secret)
    .update(`${String(seconds)}.${body}`)
    .digest('hex');
  return `t=${String(seconds)},v1=${hash}`;
}

/** One attempt. Follows no redirect, and reads nothing of the answer but its status. */
export async function sendWebhook(
  url: string,
  end: RunEnd,
  { secret, id, attempt }: { readonly secret: string; readonly id: string; readonly attempt: number },
): Promise<Outcome> {
  const body = JSON.stringify(end);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMilliseconds),
      body,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'orchard-coordinator',
        'Orchard-Delivery': id,
        'Orchard-Attempt': String(attempt + 1),
        'Orchard-Signature': signatureOf(secret, body, Math.floor(Date.now() / 1000)),
      },
    });
    await response.body?.cancel();
    const { status } = response;
    if (status >= 200 && status < 300) return { status, reason: null };
    const isElsewhere = status >= 300 && status < 400;
    return { status, reason: `it answered ${String(status)}${isElsewhere ? '; redirects are not followed' : ''}` };
  } catch (error) {
    return { status: null, reason: reasonOf(error) };
  }
}

/** In a word of ours or of the system: what a server says is not for those who may list attempts. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 10 s';
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? `it could not be reached (${code})` : 'it could not be reached';
}
