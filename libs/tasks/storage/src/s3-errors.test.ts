import { expect, test } from 'vitest';
import { failure, isPassing } from './s3-errors.js';

/** As the SDK throws it. */
function answered(name: string, status?: number): Error {
  const error = Object.assign(new Error('made by the test'), { name, code: name });
  return status === undefined ? error : Object.assign(error, { $metadata: { httpStatusCode: status } });
}

test.each([
  ['AccessDenied', 403, 'denied', 'rights of the key'],
  ['InvalidAccessKeyId', 403, 'denied', 'Check the access key and its secret'],
  ['SignatureDoesNotMatch', 403, 'denied', 'Check the access key and its secret'],
  ['ExpiredToken', 400, 'denied', 'Renew the credentials'],
  ['RequestTimeTooSkewed', 403, 'denied', 'Set the clocks'],
  ['CredentialsProviderError', undefined, 'denied', 'AWS_ACCESS_KEY_ID'],
  ['QuotaExceeded', 403, 'full', 'raise its quota'],
  ['XMinioStorageFull', 507, 'full', 'Free some space'],
  ['EPROTO', undefined, 'invalid-configuration', 'http and https in the endpoint'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 'invalid-configuration', 'NODE_EXTRA_CA_CERTS'],
  ['SlowDown', 503, 'unavailable', 'try again'],
])('%s (%s) is %s, with what to do about that', (name, status, code, remedy) => {
  const told = failure('runs/a/conditionals/1', answered(name, status), 1);
  expect(told).toMatchObject({ code, where: 'runs/a/conditionals/1' });
  expect(told.got).toContain(status === undefined ? name : `${name} (${status})`);
  expect(told.remedy).toContain(remedy);
});

test('what no second attempt mends is asked once', () => {
  for (const name of ['QuotaExceeded', 'ExpiredToken', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
    expect([name, isPassing(answered(name, name === 'QuotaExceeded' ? 403 : undefined))]).toEqual([name, false]);
  // the SDK sets its own clock by the server's answer
  expect(isPassing(answered('RequestTimeTooSkewed', 403))).toBe(true);
});
