// Loaded before a worker whose store is a folder: each result takes three seconds to store, so that a task is in hand
// for longer than a test needs to see it.
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const { link } = files;
files.link = async (from, to) => {
  if (String(to).includes('/conditionals/')) await sleep(3_000);
  await link(from, to);
};
syncBuiltinESMExports();
