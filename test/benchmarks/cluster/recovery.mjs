// A worker killed in mid-dimension: what that costs, taken apart.
import { listAll } from '@orchard/storage';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './machine.mjs';
import { resembling } from './noise.mjs';
import { Session } from './session.mjs';

const settings = { lockSeconds: 5, checkpointSeconds: 3 };
/** So many rounds that no dimension ends while it is watched. */
const words = { preset: 'paper', leaves: 64, rounds: 100_000, refit: false };
const data = { rows: 8000, dimensions: 256 };
const pollMilliseconds = 50;
/** A dimension that is trained reports the share of its rounds that are done. */
const roundsOf = ({ share }) => Math.round(share * words.rounds);

/** What the queue and the store report about the dimensions in work, with the times of the reports. */
class Watch {
  /** By dimension: the latest rounds that it reported, and rounds a millisecond. */
  told = new Map();
  /** By dimension: the newest checkpoint. */
  checkpoints = new Map();
  #events = [];
  #waiting = [];
  #stop;

  constructor(session, isKilled) {
    this.#stop = session.onEvent((event) => {
      if (!event.id.startsWith('train-')) return;
      const heard = { ...event, dimension: Number(event.id.split('-')[2]), at: performance.now() };
      if (event.kind === 'progress' && !isKilled()) this.#tell(heard);
      this.#events.push(heard);
      for (const { matches, resolve } of this.#waiting) if (matches(heard)) resolve(heard);
    });
  }

  /** The first event from now on that matches. */
  next(matches) {
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  async lookForCheckpoints(store, run) {
    const prefix = `runs/${run}/checkpoints/`;
    for await (const { name } of listAll(store, prefix)) {
      const [dimension, round] = name.slice(prefix.length).split('/').map(Number);
      if ((this.checkpoints.get(dimension)?.round ?? -1) < round) {
        this.checkpoints.set(dimension, { round, at: performance.now() });
      }
    }
  }

  #tell({ dimension, at, progress }) {
    const rounds = roundsOf(progress);
    const before = this.told.get(dimension);
    const speed = before === undefined ? 0 : (rounds - before.rounds) / (at - before.at);
    this.told.set(dimension, { rounds, at, speed });
  }

  close() {
    this.#stop();
  }
}

/** Runs two workers until both have a checkpoint behind them, kills one, and gives its dimension to a third. */
async function killOnce(session, splits, seed) {
  let killedAt = null;
  const watch = new Watch(session, () => killedAt !== null);
  try {
    const run = await session.submit({ ...splits, ...words, seed });
    const look = () => watch.lookForCheckpoints(session.store, run).then(() => sleep(pollMilliseconds));
    while (watch.checkpoints.size < 2) await look();
    // somewhere between two checkpoints
    const until = performance.now() + (0.2 + 0.3 * seed) * 1000 * settings.checkpointSeconds;
    while (performance.now() < until) await look();
    const index = session.programs.findIndex(({ name }) => name.startsWith('worker'));
    const [worker] = session.programs.splice(index, 1);
    // a worker also holds a job that its thread has not begun
    const isStalled = watch.next(({ kind, dimension }) => kind === 'stalled' && watch.told.has(dimension));
    process.kill(worker.pid, 'SIGKILL');
    killedAt = performance.now();
    await watch.lookForCheckpoints(session.store, run);
    const { dimension, at: noticedAt } = await isStalled;
    const goesOn = watch.next((event) => event.kind === 'progress' && event.dimension === dimension);
    // the other thread is busy with a dimension of its own: where it goes on first is not a cost
    await session.addWorker();
    const { progress } = await goesOn;
    await session.cancel(run);
    const last = watch.told.get(dimension);
    const roundAtKill = last.rounds + last.speed * (killedAt - last.at);
    const resumedFrom = roundsOf(progress) - progress.trees;
    return {
      dimension,
      roundAtKill: Math.round(roundAtKill),
      resumedFrom,
      sinceCheckpointSeconds: (killedAt - watch.checkpoints.get(dimension).at) / 1000,
      repeatedSeconds: Math.max(0, roundAtKill - resumedFrom) / last.speed / 1000,
      noticedSeconds: (noticedAt - killedAt) / 1000,
    };
  } finally {
    watch.close();
  }
}

/** @param {{ repeats: number, say: (line: string) => void }} options */
export async function measureRecovery({ repeats, say }) {
  const { lockSeconds, checkpointSeconds } = settings;
  const environment = {
    ORCHARD_LOCK_SECONDS: String(lockSeconds),
    ORCHARD_CHECKPOINT_SECONDS: String(checkpointSeconds),
  };
  const session = await Session.start({ environment, say });
  try {
    const train = await session.upload(resembling(data.rows, data.dimensions, 1));
    const valid = await session.upload(resembling(1000, data.dimensions, 2));
    const kills = [];
    for (let seed = 0; seed < repeats; seed++) {
      kills.push({ ...(await killOnce(session, { train, valid }, seed)), load: load() });
    }
    return { ...settings, kills };
  } finally {
    await session.stop();
  }
}
