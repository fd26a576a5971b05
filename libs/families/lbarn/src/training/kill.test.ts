import { FilesystemStore } from '@orchard/storage';
import { contentOf, folderOfTest } from '@orchard/storage/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exampleWords, registerExample } from '../example.suite.js';

/** `orchard train` without its words: the built library in a process of its own, one line for each progress event. */
const program = `
  const { lbarn } = await import(process.env.LIBRARY);
  const { runLocally } = await import('@orchard/pipeline');
  const { FilesystemStore } = await import('@orchard/storage');
  await runLocally({
    store: await FilesystemStore.open(process.env.FOLDER),
    family: lbarn,
    specification: JSON.parse(process.env.SPECIFICATION),
    choice: { selection: 'linearized', refit: true },
    threads: 2,
    checkpointSeconds: 0.005,
    onProgress: ({ stage, tasks, trees }) => console.log(stage, tasks.done, trees),
  });
`;

/** Runs the program until it has printed `lines` lines, then kills it -9; null where it ended before. */
async function runKilledAfter(lines: number, environment: Record<string, string>): Promise<string | null> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env.PATH, LIBRARY: new URL('../../dist/index.js', import.meta.url).href, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let seen = 0;
  let killedAt: string | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    seen++;
    if (seen < lines || killedAt !== null) continue;
    killedAt = line;
    child.kill('SIGKILL');
  }
  const [code, signal] = (await exit) as [number | null, string | null];
  if (signal === 'SIGKILL') return killedAt;
  expect(code).toBe(0);
  return null;
}

test(
  'a run whose process is killed -9 again and again ends in the same bytes as one that is left in peace',
  { tags: 'nightly', timeout: 300_000 },
  async () => {
    const size = { words: { ...exampleWords, leaves: 12, rounds: 600, patience: 0 }, dimensions: 16, rows: 2500 };
    const [peace, killed] = [folderOfTest(), folderOfTest()];
    const [ofPeace, ofKilled] = [await FilesystemStore.open(peace), await FilesystemStore.open(killed)];
    const { specification } = await registerExample(ofPeace, size);
    await registerExample(ofKilled, size);
    const SPECIFICATION = JSON.stringify(specification);
    expect(await runKilledAfter(Infinity, { FOLDER: peace, SPECIFICATION })).toBeNull();

    const kills: string[] = [];
    let checkpoints = 0;
    // later and later, so that every attempt gets further than the one before it and all stages are hit
    for (let lines = 2; ; lines += Math.ceil(lines / 4)) {
      const at = await runKilledAfter(lines, { FOLDER: killed, SPECIFICATION });
      if (at === null) break;
      kills.push(at);
      const names = Object.keys(await contentOf(ofKilled));
      checkpoints += names.filter((name) => name.includes('/checkpoints/')).length;
    }
    expect(kills.length).toBeGreaterThanOrEqual(3);
    expect(kills.some((at) => at.startsWith('train'))).toBe(true);
    expect(checkpoints).toBeGreaterThan(0);
    expect(await contentOf(await FilesystemStore.open(killed))).toEqual(await contentOf(ofPeace));
  },
);
