/** Where the token is kept: until this tab is closed, and for this tab alone. */
const storedAs = 'orchard-token';
const wayStoredAs = 'orchard-token-way';

/** A refusal of the coordinator, or of the way there, as a sentence for people. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

let onTokenRefused: () => void = () => undefined;

/** Called whenever a token is asked for, or the present one is not accepted any more. */
export function whenTokenIsRefused(listener: () => void): void {
  onTokenRefused = listener;
}

export const token = {
  get: (): string | null => sessionStorage.getItem(storedAs),
  /** Whether it came of a sign-in, so that another is a click away. */
  isOfSignIn: (): boolean => sessionStorage.getItem(wayStoredAs) === 'oidc',
  set: (secret: string, way: 'pasted' | 'oidc' = 'pasted'): void => {
    sessionStorage.setItem(storedAs, secret);
    sessionStorage.setItem(wayStoredAs, way);
  },
  forget: (): void => {
    sessionStorage.removeItem(storedAs);
    sessionStorage.removeItem(wayStoredAs);
  },
};

export function withToken(headers: Record<string, string>): Record<string, string> {
  const secret = token.get();
  return secret === null ? headers : { ...headers, Authorization: `Bearer ${secret}` };
}

/** @throws Refused with the coordinator's own words, or what stands in the way of asking it */
export async function ask<T>(path: string, init: RequestInit & { readonly json?: unknown } = {}): Promise<T> {
  const { json, ...rest } = init;
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const headers = withToken(json === undefined ? {} : { 'Content-Type': 'application/json' });
  let response: Response;
  try {
    response = await fetch(path, { ...rest, ...body, headers, credentials: 'omit', cache: 'no-store' });
  } catch (error) {
    if (rest.signal?.aborted === true) throw error;
    throw new Refused(0, 'The coordinator does not answer: it is away, or this machine is offline.');
  }
  if (!response.ok) throw refusalOf(response.status, await response.text());
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

export function refusalOf(status: number, text: string): Refused {
  if (status === 401) onTokenRefused();
  let detail = '';
  try {
    ({ detail = '' } = JSON.parse(text) as { detail?: string });
  } catch {
    // a proxy in between has words of its own, which are not a sentence
  }
  return new Refused(status, detail === '' ? `The answer was ${String(status)}, without a reason.` : detail);
}

export interface Sent {
  readonly answer: Promise<unknown>;
  stop(): void;
}

/** Sends a file and reports how much of it has left, which `fetch` cannot. */
export function send(path: string, file: Blob, type: string, onSent: (share: number) => void): Sent {
  const request = new XMLHttpRequest();
  const answer = new Promise((resolve, reject) => {
    request.open('POST', path);
    for (const [name, value] of Object.entries(withToken({ 'Content-Type': type })))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      onSent(total === 0 ? 1 : loaded / total);
    };
    request.onload = () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText));
      else reject(refusalOf(request.status, request.responseText));
    };
    request.onerror = () => {
      reject(new Refused(0, 'The connection broke while the file was sent: nothing is stored, send it again.'));
    };
    request.onabort = () => {
      reject(new Refused(0, 'Stopped: nothing of the file is stored.'));
    };
    request.send(file);
  });
  return {
    answer,
    stop: () => {
      request.abort();
    },
  };
}
