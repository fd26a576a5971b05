import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { S3Store } from './s3.js';
import type { S3Configuration } from './s3-configuration.js';

/** A store on a server of the test, which answers so. Both end with the test. */
export async function servedStore(answer: RequestListener, more: Partial<S3Configuration> = {}): Promise<S3Store> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const credentials = { accessKeyId: 'nobody', secretAccessKey: 'nothing' };
  const store = await S3Store.open({ bucket: 'orchard', endpoint, credentials, attempts: 1, ...more });
  onTestFinished(() => store.close());
  return store;
}
