import { serverOfTest } from '@orchard/storage/testing';
import type { Request, Response } from 'express';
import { request as ask } from 'node:http';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import type { HttpMetrics } from '../operations/metrics.js';
import { requestLog } from './request-context.js';

/** What a middleware sees of a request beside Node's own. */
const asExpress = { path: '/v1/datasets', get: () => undefined };

test('an upload that its client broke off is logged as one, without the status of an answer', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const answered = vi.fn<(...of: Parameters<HttpMetrics['answered']>) => void>();
  const logged = requestLog(log, { answered } as unknown as HttpMetrics);
  const url = await serverOfTest((incoming, outgoing) => {
    logged(Object.assign(incoming, asExpress) as unknown as Request, outgoing as Response, () => undefined);
    incoming
      .on('error', () => undefined)
      .resume()
      .on('end', () => outgoing.end());
  });

  const whole = await fetch(url, { method: 'POST', body: 'rows' });
  expect(whole.status).toBe(200);
  const upload = ask(url, { method: 'POST', headers: { 'Content-Length': '1000' } }).on('error', () => undefined);
  upload.write('some of the rows', () => setTimeout(() => upload.destroy(), 50));

  await expect
    .poll(() => lines.map(({ status, aborted }) => [status, aborted]))
    .toEqual([
      [200, false],
      [499, true],
    ]);
  expect(answered.mock.calls.map(([, status]) => status)).toEqual([200, 499]);
});
