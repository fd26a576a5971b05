import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

/** Seconds in which a client that is there is answered, whichever others are not. */
const patience = 30;
const rows = '0,1,1\n1,0,1\n';

/** Clients of a coordinator that begin something and are never heard of again, without closing their connections. */
export class VanishedClients {
  #sockets: Socket[] = [];

  /** Followers of a run that read nothing, and uploads that break off: their places go to others. */
  async vanish(url: string, run: string): Promise<void> {
    this.#sockets.push(
      ...Array.from({ length: 6 }, () => begin(url, `GET /v1/runs/${run}/events`, '')),
      ...Array.from({ length: 2 }, () =>
        begin(url, 'POST /v1/datasets', 'Content-Type: text/csv\r\nContent-Length: 100000\r\n'),
      ),
    );
    await sleep(300);
    expect(await answerOf(`${url}/v1/runs/${run}`)).toContain(run);
    const headers = { 'Content-Type': 'text/csv' };
    await answerOf(`${url}/v1/datasets`, { method: 'POST', body: rows, headers });
  }

  /** Closes the connections: operating systems do, in the end. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets = [];
  }
}

function begin(url: string, request: string, headers: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // coordinators are killed
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  if (headers !== '') socket.write(rows);
  return socket;
}

/** Asks again where the coordinator says that it has no place, or that the store is away, just now. */
async function answerOf(url: string, init: RequestInit = {}): Promise<string> {
  let told = '';
  for (const deadline = Date.now() + patience * 1000; Date.now() < deadline; await sleep(500)) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patience * 1000) });
    const text = await response.text();
    if (response.ok) return text;
    told = `${response.status} ${text}`;
  }
  throw new Error(`${url}: got ${told} for ${patience} s, expected an answer, while others have vanished`);
}
