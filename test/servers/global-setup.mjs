import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '../../infra/servers/environment.mjs';
import { findRedis, findS3, ServerUnavailable, startRedis, startS3 } from '../../infra/servers/index.mjs';

/**
 * Before the first system test: finds the servers or gets them, and lets the tests know which are there. In CI a
 * missing one ends the command at once; elsewhere the tests that need it are skipped, and the last lines say what to
 * install. After the last one the folder of the runs that tests compare theirs with goes.
 *
 * @param {import('vitest/node').TestProject} project
 */
export async function setup(project) {
  const missing = {
    redis: await remedy(() => found(findRedis, startRedis)),
    s3: await remedy(() => found(findS3, startS3)),
  };
  const remedies = Object.values(missing).filter((line) => line !== null);
  project.provide('missingServers', missing);
  const specimens = await mkdtemp(join(tmpdir(), 'orchard-specimens-'));
  project.provide('specimens', specimens);
  return async () => {
    await rm(specimens, { recursive: true, force: true });
    for (const line of remedies) console.error(`\norchard: tests were skipped. ${line}`);
  };
}

/**
 * Finds a server. One in a container is started once: an engine whose containers cannot be reached is none to the
 * tests, which would each wait for it.
 *
 * @param {() => Promise<{ source: string }>} find
 * @param {(options: { own: true }) => Promise<{ source: string, stop: () => Promise<void> }>} start
 */
async function found(find, start) {
  if ((await find()).source !== 'container') return;
  const server = await start({ own: true });
  await server.stop();
  if (server.source !== 'container') process.env.ORCHARD_TEST_CONTAINERS = 'no';
}

/**
 * @param {() => Promise<unknown>} find
 * @returns {Promise<string | null>} null where there is one
 */
async function remedy(find) {
  try {
    await find();
    return null;
  } catch (error) {
    if (environment.ci || !(error instanceof ServerUnavailable)) throw error;
    return error.message;
  }
}
