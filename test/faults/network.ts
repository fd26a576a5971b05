import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Relay } from '../servers/relay.js';

/** Whether this user may make network namespaces, tried once. */
export const namespacesAllowed = ((): boolean => {
  const name = `orchard-try-${randomBytes(3).toString('hex')}`;
  const allowed = ip('netns', 'add', name).status === 0;
  if (allowed) ip('netns', 'delete', name);
  return allowed;
})();

/** A host of its own on this machine: a network namespace, whose name is what programs are started by. */
export class Host {
  readonly name = `orchard-${randomBytes(3).toString('hex')}`;

  constructor() {
    must('netns', 'add', this.name);
    must('-n', this.name, 'link', 'set', 'lo', 'up');
  }

  close(): void {
    ip('netns', 'delete', this.name);
  }
}

/**
 * A bridge that hosts are joined to by cables, and at which servers of the test answer. A cable that is pulled swallows
 * packets in both directions: no connection ends, nothing is refused. A host on two networks can be cut off one of
 * them.
 */
export class Network {
  /** Names of devices have 15 letters at most. */
  readonly #id = randomBytes(3).toString('hex');
  readonly #bridge = `orch${this.#id}`;
  /** Addresses of this network alone. */
  readonly #subnet = `10.${200 + (randomBytes(1)[0]! % 50)}.${randomBytes(1)[0]!}`;
  readonly #cables = new Map<Host, string>();
  readonly #relays: Relay[] = [];

  constructor() {
    must('link', 'add', this.#bridge, 'type', 'bridge');
    must('address', 'add', `${this.#subnet}.1/24`, 'dev', this.#bridge);
    must('link', 'set', this.#bridge, 'up');
  }

  /** @returns the address of the host on this network */
  join(host: Host): string {
    const number = this.#cables.size + 2;
    const [cable, end] = [`orcc${this.#id}${number}`, `orce${this.#id}${number}`];
    must('link', 'add', cable, 'type', 'veth', 'peer', 'name', end);
    this.#cables.set(host, cable);
    must('link', 'set', cable, 'master', this.#bridge, 'up');
    must('link', 'set', end, 'netns', host.name);
    const address = `${this.#subnet}.${number}`;
    must('-n', host.name, 'address', 'add', `${address}/24`, 'dev', end);
    must('-n', host.name, 'link', 'set', end, 'up');
    return address;
  }

  pull(host: Host): void {
    must('link', 'set', this.#cables.get(host)!, 'nomaster');
  }

  plugIn(host: Host): void {
    must('link', 'set', this.#cables.get(host)!, 'master', this.#bridge);
  }

  /**
   * Lets hosts reach a server that listens on loopback.
   *
   * @param onBytes - sees what hosts send, before the server does
   * @returns the address, with its port
   */
  async serve(port: number, onBytes?: (bytes: Buffer) => void): Promise<string> {
    const relay = await Relay.start(port, `${this.#subnet}.1`, onBytes);
    this.#relays.push(relay);
    return relay.address;
  }

  async close(): Promise<void> {
    await Promise.all(this.#relays.map((relay) => relay.stop()));
    ip('link', 'delete', this.#bridge);
  }
}

function ip(...args: string[]): ReturnType<typeof spawnSync> {
  return spawnSync('ip', args, { encoding: 'utf8' });
}

function must(...args: string[]): void {
  const { status, stderr } = ip(...args);
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${String(stderr)}`);
}
