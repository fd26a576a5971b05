import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { S3Store } from './s3.js';
import type { S3Configuration } from './s3-configuration.js';
import { probe } from './s3-create-only.js';
import { serverOfTest } from './testing.suite.js';

/** A store on a server of the test, which answers so; what a store writes and reads when it is opened it has. */
export async function servedStore(answer: RequestListener, more: Partial<S3Configuration>): Promise<S3Store> {
  const endpoint = await serverOfTest((request, response) => {
    const isProbe = request.method === 'GET' && request.url?.includes(probe.key) === true;
    if (isProbe) response.writeHead(200, { 'content-length': probe.bytes.length }).end(probe.bytes);
    else answer(request, response);
  });
  const credentials = { accessKeyId: 'nobody', secretAccessKey: 'nothing' };
  const store = await S3Store.open({ bucket: 'orchard', endpoint, credentials, attempts: 1, ...more });
  onTestFinished(() => store.close());
  return store;
}
