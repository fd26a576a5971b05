import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.js';
import type { Program } from '../cluster/programs.js';
import { strangePrograms } from '../cluster/strange-programs.js';
import type { Dice } from './dice.js';

/** The programs of a cluster to which something happens all the time: as many of each kind afterwards as before. */
export class Crew {
  readonly #cluster: Cluster;
  readonly #dice: Dice;
  readonly #programs: Program[];

  private constructor(cluster: Cluster, dice: Dice, programs: Program[]) {
    this.#cluster = cluster;
    this.#dice = dice;
    this.#programs = programs;
  }

  static async start(cluster: Cluster, dice: Dice, kinds: readonly Program['kind'][]): Promise<Crew> {
    return new Crew(cluster, dice, await Promise.all(kinds.map((kind) => cluster.add(kind))));
  }

  /** Where the coordinator answers: it has another port after each replacement. */
  get coordinatorUrl(): string {
    const coordinator = this.#programs.find(({ kind }) => kind === 'coordinator')!;
    return String(coordinator.log.find(({ msg }) => msg === 'listening')!.url);
  }

  /** Ends any of them by a signal; another takes its place. */
  async replace(signal: NodeJS.Signals): Promise<void> {
    await this.#replace(this.#dice.pick(this.#programs), signal);
  }

  /**
   * Does not let one of those who do tasks run for some seconds: its locks expire, and it wakes up with its tasks in
   * hand.
   */
  async pause(seconds: number): Promise<void> {
    const { pid } = this.#dice.pick(this.#programs.filter(({ kind }) => kind !== 'coordinator'));
    await pauseProcess(pid, seconds);
  }

  /** A worker's clock is an hour ahead from now on, until it is replaced for another reason. */
  async setClockAhead(): Promise<void> {
    await this.#replace(this.#worker(), 'SIGKILL', strangePrograms.clockAhead);
  }

  /** A worker of the next release joins for a while, and leaves. */
  async joinNextRelease(seconds: number): Promise<void> {
    const guest = await this.#cluster.add('worker', strangePrograms.nextRelease);
    await sleep(seconds * 1000);
    guest.kill('SIGTERM');
    await guest.ended;
  }

  /**
   * A worker runs out of memory after some seconds of work; always one of the same name, as a container has.
   *
   * @returns how it ended
   */
  async exhaustMemory(seconds: number): Promise<string> {
    const victim = this.#worker();
    const environment = { ...strangePrograms.outOfMemory, ORCHARD_WORKER_NAME: 'starved' };
    const starved = await this.#replace(victim, 'SIGTERM', environment);
    await sleep(seconds * 1000);
    starved.kill('SIGUSR2');
    const { code, signal } = await starved.ended;
    await this.#replace(starved, 'SIGKILL');
    return signal ?? String(code);
  }

  #worker(): Program {
    return this.#dice.pick(this.#programs.filter(({ kind }) => kind === 'worker'));
  }

  async #replace(victim: Program, signal: NodeJS.Signals, environment: Record<string, string> = {}): Promise<Program> {
    victim.kill(signal);
    await victim.ended;
    const next = await this.#cluster.add(victim.kind, environment);
    this.#programs[this.#programs.indexOf(victim)] = next;
    return next;
  }
}

/** Does not let a process run for some seconds. */
export async function pauseProcess(pid: number, seconds: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(seconds * 1000);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
