import { basename } from 'node:path';
import { avoidEngine, containerEngine, composeImage, succeeds } from './environment.mjs';

const inspectMilliseconds = 5_000;
const pullMilliseconds = 120_000;

/**
 * @typedef {object} Container
 * @property {'container'} source
 * @property {string} what - for people
 * @property {string} command - the engine's client
 * @property {string} image
 */

/**
 * A container engine that answers, and the image that docker-compose.yml names.
 *
 * @param {RegExp} name - of the image
 * @param {AbortSignal} [signal]
 * @returns {Promise<Container | null>}
 */
export async function findContainer(name, signal) {
  const image = composeImage(name);
  const command = image === null ? null : await containerEngine(signal);
  if (image === null || command === null) return null;
  return { source: 'container', what: `${image} in a container of ${basename(command)}`, command, image };
}

/**
 * Starts a server in a container. Where that fails the engine is not used again, and says why: the caller goes another
 * way.
 *
 * @template T
 * @param {Container} container
 * @param {(line: string) => void} say
 * @param {AbortSignal | undefined} signal
 * @param {() => Promise<T>} start
 * @returns {Promise<T | null>} null where it cannot be used
 */
export async function startInContainer({ what, command, image }, say, signal, start) {
  try {
    if (!(await succeeds(command, ['image', 'inspect', image], inspectMilliseconds, signal))) {
      say(`orchard: getting the image ${image}: once, at most ${pullMilliseconds / 1000} s …`);
      if (!(await succeeds(command, ['pull', image], pullMilliseconds, signal)))
        throw new Error('its image could not be got.');
    }
    signal?.throwIfAborted();
    say(`orchard: starting ${what} …`);
    return await start();
  } catch (error) {
    if (signal?.aborted) throw error;
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    say(`orchard: ${what} cannot be used: ${reason} Another way is tried.`);
    avoidEngine(command);
    return null;
  }
}
