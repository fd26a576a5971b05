// Loaded before a program: at SIGUSR2 it takes memory until V8 ends it, with whatever it has in hand.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.once('SIGUSR2', () => {
    const held = [];
    for (;;) held.push(new Array(1024).fill(held.length));
  });
}
