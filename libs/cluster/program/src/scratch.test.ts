import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { ownScratch } from './scratch.js';

test('temporary files of a process and its threads lie in one folder, which goes with it', async () => {
  const before = process.env.TMPDIR;
  const place = mkdtempSync(join(tmpdir(), 'orchard-scratch-'));
  process.env.TMPDIR = place;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(place, { recursive: true, force: true });
  });
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const folders = [
    `orchard-worker-${hostname()}-${dead}-abc`,
    `orchard-worker-another.host-${dead}-abc`,
    `orchard-worker-${hostname()}-${process.ppid}-abc`,
    'orchard-table-abc',
    `orchard-coordinator-${hostname()}-${dead}-abc`,
    // of a process before this one: of this one there is none yet
    `orchard-worker-${hostname()}-${process.pid}-abc`,
  ];
  for (const name of folders) mkdirSync(join(place, name));
  ownScratch('worker');
  const [removeFolder] = process.listeners('exit').slice(-1);
  process.off('exit', removeFolder!);
  expect(readdirSync(place).filter((name) => folders.includes(name))).toEqual(folders.slice(1, -1).sort());
  const folder = tmpdir();
  expect(folder.startsWith(join(place, `orchard-worker-${hostname()}-${process.pid}-`))).toBe(true);
  const thread = new Worker(`require('fs').writeFileSync(require('os').tmpdir() + '/copy', '')`, { eval: true });
  await new Promise((resolve) => thread.once('exit', resolve));
  writeFileSync(join(tmpdir(), 'own'), '');
  expect(readdirSync(folder).sort()).toEqual(['copy', 'own']);
  removeFolder!(0);
  expect(existsSync(folder)).toBe(false);
});

test('where nothing can be written temporary files stay where they were', () => {
  const before = process.env.TMPDIR;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  process.env.TMPDIR = '/none';
  ownScratch('worker');
  expect(tmpdir()).toBe('/none');
});
