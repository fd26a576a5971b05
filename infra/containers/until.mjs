import { setTimeout as delay } from 'node:timers/promises';

/** @param {string} what @param {number} milliseconds @param {() => Promise<boolean>} isSo */
export async function until(what, milliseconds, isSo) {
  const end = Date.now() + milliseconds;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited ${milliseconds / 1000} s in vain until ${what}.`);
    await delay(300);
  }
}
