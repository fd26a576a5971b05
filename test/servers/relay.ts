import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  /** Null until the connection is passed on. */
  onwards: Socket | null;
}

/**
 * Stands between clients and a server, whatever they say to each other. It can swallow what comes, as a network does
 * that loses its packets: nothing is refused, no connection ends, and no answer comes.
 */
export class Relay {
  readonly #server: Server;
  readonly #port: number;
  readonly #onBytes: (bytes: Buffer) => void;
  readonly #pairs = new Set<Pair>();
  #swallows = false;

  private constructor(port: number, onBytes: (bytes: Buffer) => void) {
    this.#port = port;
    this.#onBytes = onBytes;
    this.#server = createServer((client) => this.#accept(client));
  }

  /**
   * @param port of a server on loopback
   * @param host where the relay listens
   * @param onBytes sees what clients send, before the server does
   */
  static async start(
    port: number,
    host = '127.0.0.1',
    onBytes: (bytes: Buffer) => void = () => undefined,
  ): Promise<Relay> {
    const relay = new Relay(port, onBytes);
    await new Promise<void>((listening) => relay.#server.listen(0, host, listening));
    return relay;
  }

  /** Host and port. */
  get address(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `${address}:${port}`;
  }

  /** Passes nothing on from now, in either direction, until {@link pass}. */
  swallow(): void {
    this.#swallows = true;
    for (const { client, onwards } of this.#pairs) {
      if (onwards === null) continue;
      client.unpipe(onwards);
      onwards.unpipe(client);
    }
  }

  pass(): void {
    this.#swallows = false;
    for (const pair of this.#pairs) this.#join(pair);
  }

  async stop(): Promise<void> {
    for (const { client } of this.#pairs) client.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #accept(client: Socket): void {
    const pair: Pair = { client, onwards: null };
    this.#pairs.add(pair);
    client.on('error', () => undefined);
    client.on('close', () => {
      this.#pairs.delete(pair);
      pair.onwards?.destroy();
    });
    if (!this.#swallows) this.#join(pair);
  }

  #join(pair: Pair): void {
    const { client } = pair;
    if (pair.onwards === null) {
      pair.onwards = connect(this.#port, '127.0.0.1');
      pair.onwards.on('error', () => undefined);
      pair.onwards.on('close', () => client.destroy());
      client.on('data', this.#onBytes);
    }
    client.pipe(pair.onwards);
    pair.onwards.pipe(client);
  }
}
