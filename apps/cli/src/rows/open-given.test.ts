import { temporaryFolder } from '@orchard/storage/testing';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGiven } from './open-given.js';

describe('rows that are given', () => {
  const folder = temporaryFolder();

  test('are no run: its folder is refused with what it is good for', async () => {
    const run = join(folder, 'run');
    await mkdir(join(run, 'store'), { recursive: true });
    // before its model is there, and after
    await expect(openGiven(run)).rejects.toThrow(/a folder that orchard train wrote.*continues the run/s);
    for (const name of ['network.msgpack', 'report.html', 'summary.json']) await writeFile(join(run, name), '');
    await expect(openGiven(run)).rejects.toThrow(/a folder that orchard train wrote.*orchard evaluate/s);
    await expect(openGiven(folder)).rejects.toThrow('expected');
    await expect(openGiven(folder)).rejects.not.toThrow('orchard train wrote');
  });
});
