import { setTimeout as delay } from 'node:timers/promises';

/**
 * @template T
 * @param {string} what
 * @param {number} milliseconds
 * @param {() => Promise<T>} look
 * @returns {Promise<T>} the first answer that is neither false nor undefined
 */
export async function until(what, milliseconds, look) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`Waited ${milliseconds / 1000} s in vain until ${what}.`);
    await delay(300);
  }
}
