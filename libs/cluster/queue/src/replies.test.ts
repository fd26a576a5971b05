import { expect, test } from 'vitest';
import { isForGood, refusalOf } from './replies.js';

const redis = { options: { host: 'redis.internal', port: 6380 } } as Parameters<typeof refusalOf>[0];

function replied(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

test.each([
  ['WRONGPASS invalid username-password pair or user is disabled.', 'refused', 'ORCHARD_REDIS_URL'],
  ['NOAUTH Authentication required.', 'refused', 'user and password'],
  ["ERR unknown command 'AUTH', with args beginning with: 'secret' ", 'refused', 'knows no AUTH'],
  ["NOPERM User bob has no permissions to run the 'bzpopmin' command", 'refused', '+@all'],
  ['MISCONF Errors writing to the AOF file: No space left on device', 'read-only', 'CONFIG SET appendonly no'],
  ['MISCONF Redis is configured to save RDB snapshots, but it is unable to', 'read-only', 'disk of Redis'],
  ['NOREPLICAS Not enough good replicas to write.', 'read-only', 'min-replicas-to-write'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'read-only', 'maxmemory'],
  ["READONLY You can't write against a read only replica.", 'read-only', 'primary'],
  ['BUSY Redis is busy running a script.', 'busy', 'SCRIPT KILL'],
  ['LOADING Redis is loading the dataset in memory', 'busy', 'wait'],
  ['ERR max number of clients reached', 'busy', 'maxclients'],
  ['ERR something of a release to come', 'busy', 'log of the server'],
])('%s', (message, code, remedy) => {
  const refusal = refusalOf(redis, replied(message))!;
  expect(refusal).toMatchObject({ code, where: 'redis.internal:6380' });
  expect(refusal.remedy).toContain(remedy);
  expect(refusal.message).not.toContain('secret');
  expect(isForGood(refusal)).toBe(code === 'refused');
});

test.each([
  ['write EPROTO 8:error:0A00010B:SSL routines:ssl3_get_record:wrong version number', undefined, 'redis://'],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
  ["Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID', 'NODE_EXTRA_CA_CERTS'],
  ['Protocol error, got "\\u0015" as reply type byte', undefined, 'rediss://'],
])('%s is refused for good, with what to change', (message, code, remedy) => {
  const refusal = refusalOf(redis, Object.assign(new Error(message), { code }))!;
  expect(isForGood(refusal)).toBe(true);
  expect(refusal.remedy).toContain(remedy);
});

test('a connection that is not there is no refusal', () => {
  expect(refusalOf(redis, Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toBeNull();
});
