import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { S3Store } from './s3.js';

test('whoever opens S3 reads no warning of the SDK about the Node that this release runs on', async () => {
  const warnings: string[] = [];
  const keep = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', keep);
  try {
    const nobody = { bucket: 'orchard', endpoint: 'http://127.0.0.1:9', attempts: 1 };
    const credentials = { accessKeyId: 'nobody', secretAccessKey: 'nothing' };
    await expect(S3Store.open({ ...nobody, credentials })).rejects.toMatchObject({ code: 'unavailable' });
    await sleep(50);
  } finally {
    process.off('warning', keep);
  }
  expect(warnings).toEqual([]);
});
