// What each alert is for, brought about. A scene leaves the cluster as it was, or a run behind that the next may use.
import { setTimeout as delay } from 'node:timers/promises';
import { lbarnNames } from '@orchard/lbarn';

/** @typedef {import('./watched-cluster.mjs').WatchedCluster} WatchedCluster */

/** @type {{ alerts: string[], cause: (watched: WatchedCluster) => Promise<void> }[]} */
export const scenes = [
  {
    alerts: ['OrchardNoCoordinator'],
    cause: (watched) => stopped(watched.cluster.coordinator.pid, () => watched.fire('OrchardNoCoordinator')),
  },
  {
    // tasks that wait for a worker have waited for long when one comes
    alerts: ['OrchardTasksWait', 'OrchardQueueWaits'],
    async cause(watched) {
      const id = await watched.submit('10');
      await watched.fire('OrchardTasksWait');
      await watched.addWorker();
      await watched.fire('OrchardQueueWaits');
      await watched.hasStatus(id, ({ state }) => state === 'done');
      await watched.endWorkers();
    },
  },
  {
    // passes that fail are none: the reconciler stands while the store is away
    alerts: ['OrchardStoreFails', 'OrchardReconcilerStands'],
    cause: (watched) =>
      stopped(watched.cluster.s3.pid ?? 0, () => watched.fire('OrchardStoreFails', 'OrchardReconcilerStands')),
  },
  {
    alerts: ['OrchardWorkersVanish'],
    async cause(watched) {
      const id = await watched.submit('3000');
      const lost = [await watched.addWorker(), await watched.addWorker()];
      await watched.hasStatus(id, ({ stages }) => stages.train?.active >= 8);
      await watched.kill(lost);
      await watched.addWorker();
      await watched.fire('OrchardWorkersVanish');
      await watched.ask(`/v1/runs/${id}/cancel`, { method: 'POST' });
      await watched.endWorkers();
    },
  },
  {
    // a checkpoint that can be read, but is of another dimension: training refuses to go on from it, every time
    alerts: ['OrchardWorkGivenUp', 'OrchardAttemptsFail'],
    async cause(watched) {
      const other = await watched.submit('12');
      await watched.addWorker();
      await watched.hasStatus(other, ({ state }) => state === 'done');
      await watched.endWorkers();
      const id = await watched.submit('30');
      await watched.withStore(async (store) => {
        await store.put(lbarnNames.checkpoint(id, 40, 10), await store.get(lbarnNames.conditional(other, 41)));
      });
      await watched.addWorker();
      await watched.fire('OrchardWorkGivenUp', 'OrchardAttemptsFail');
      await watched.hasStatus(id, ({ state }) => state === 'failed');
      await watched.endWorkers();
    },
  },
  {
    alerts: ['OrchardRequestsFail'],
    async cause(watched) {
      const id = await watched.submit('14');
      await watched.addWorker();
      await watched.hasStatus(id, ({ state }) => state === 'done');
      await watched.endWorkers();
      await watched.withStore(async (store) => {
        const objects = await store.list(`runs/${id}/network`);
        for (const { name } of objects) {
          await store.delete(name);
          await store.put(name, Buffer.from('not a model'));
        }
      });
      let isOver = false;
      const asking = (async () => {
        for (; !isOver; await delay(200)) await (await watched.ask(`/v1/runs/${id}/network`)).text();
      })();
      await watched.fire('OrchardRequestsFail').finally(() => (isOver = true));
      await asking;
    },
  },
  {
    // it gets a processor for a moment every few seconds
    alerts: ['OrchardLoopBlocked'],
    async cause(watched) {
      const { pid } = await watched.addWorker();
      let isOver = false;
      const standing = (async () => {
        while (!isOver) {
          process.kill(pid, 'SIGSTOP');
          await delay(2600);
          process.kill(pid, 'SIGCONT');
          await delay(150);
        }
      })();
      await watched.fire('OrchardLoopBlocked').finally(() => (isOver = true));
      await standing;
      await watched.isQuiet();
      await watched.endWorkers();
    },
  },
];

/** While a program stands still. @param {number} pid @param {() => Promise<void>} meanwhile */
async function stopped(pid, meanwhile) {
  process.kill(pid, 'SIGSTOP');
  try {
    await meanwhile();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
