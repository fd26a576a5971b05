import { concurrently } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { temporaryFolder } from '@orchard/storage/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullToken, readToken, startHarness, type Harness } from '../../apps/coordinator/src/harness.suite.js';
import { ask } from './command-line.js';

/** Requests that leave a record, and what one needs to tell them apart. */
const refusals = 7;
const run = 'e'.repeat(64);

const folder = temporaryFolder();
let store: FilesystemStore;
let harness: Harness;
const audit = (...words: string[]) => auditAs(fullToken, ...words);
const auditAs = (token: string, ...words: string[]) =>
  ask(['audit', ...words], { ORCHARD_SERVER: harness.url, ORCHARD_TOKEN: token });

interface Document {
  readonly day: string;
  readonly records: { readonly id: string; readonly who: { readonly name: string } }[];
  readonly unreadable: string[];
  readonly next: string | null;
}
const documentOf = async (...words: string[]): Promise<Document> =>
  JSON.parse((await audit('--json', ...words)).stdout) as Document;

beforeAll(async () => {
  store = await FilesystemStore.open(folder);
  harness = await startHarness({}, { store });
  await harness.send('/v1/datasets', '0,1\n1,1\n');
  for (let time = 0; time < refusals; time++)
    await harness.ask(`/v1/runs/${run}/cancel`, { method: 'POST', headers: { Authorization: `Bearer ${readToken}` } });
});
afterAll(() => harness.stop());

describe('orchard audit', () => {
  test('shows who changed what today, and who was refused, the earliest first', async () => {
    const { code, stdout, stderr } = await audit();
    expect([code, stderr]).toEqual([0, '']);
    const [head, first, second, ...rest] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^time \(UTC\) +who +role +request +of what +answer$/);
    expect(first).toMatch(/^\d\d:\d\d:\d\d\.\d{3} +tester +admin +POST \/v1\/datasets +dataset [0-9a-f]{12} +201$/);
    expect(second).toMatch(/ reader +viewer +POST \/v1\/runs\/\{id\}\/cancel +run eeeeeeeeeeee +403 forbidden$/);
    expect(rest).toHaveLength(refusals - 1);
  });

  test('prints the records as the coordinator has them, for programs', async () => {
    const answer = (await (await harness.ask('/v1/audit')).json()) as Document;
    expect(answer.records).toHaveLength(refusals + 1);
    expect(await documentOf()).toEqual(answer);
    expect(await documentOf('--day', answer.day)).toEqual(answer);
  });

  test('stops at a limit, says how to go on, and goes on from there', async () => {
    const { day, records } = await documentOf();
    const { code, stdout, stderr } = await audit('--limit', '3');
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 4]);
    expect(stderr).toBe(`orchard: there is more: orchard audit --day ${day} --after ${records[2]!.id}\n`);
    const part = await documentOf('--limit', '3', '--day', day, '--after', records[2]!.id);
    expect(part).toEqual({ day, records: records.slice(3, 6), unreadable: [], next: records[5]!.id });
  });

  test('says of a day without records that it has none, and names what is damaged', async () => {
    expect(await audit('--day', '2001-02-03')).toEqual({ code: 0, stdout: 'no records of 2001-02-03\n', stderr: '' });
    const damaged = 'audit/2001/02/04/000000001-00000000-0000-0000-0000-000000000000';
    await store.put(damaged, Buffer.from('{"at":'));
    const { code, stdout, stderr } = await audit('--day', '2001-02-04');
    expect([code, stdout]).toEqual([0, 'no records of 2001-02-04\n']);
    expect(stderr).toBe(`orchard: 1 object is not what was written, and left out: ${damaged}\n`);
    expect(await documentOf('--day', '2001-02-04')).toMatchObject({ records: [], unreadable: [damaged] });
  });

  test('of more than a page of records it shows them all', async () => {
    const [like] = (await documentOf('--limit', '1')).records;
    const many = Array.from({ length: 1003 }, (_, n) => `${String(n).padStart(9, '0')}-${'0'.repeat(36)}`);
    // as it is stored, where its id is its name
    const record = Buffer.from(JSON.stringify({ ...like, id: undefined }));
    await concurrently(many, 16, (name) => store.put(`audit/2001/02/05/${name}`, record));
    const { records, next } = await documentOf('--day', '2001-02-05');
    expect([records.map(({ id }) => id), next]).toEqual([many, null]);
    const cut = await documentOf('--day', '2001-02-05', '--limit', '1001');
    expect([cut.records.length, cut.next]).toEqual([1001, many[1000]]);
  });

  test.each([
    ['--day=yesterday', /^orchard: --day: got "yesterday", expected a date/],
    ['--day=2026-02-30', /^orchard: --day: got "2026-02-30"/],
    ['--after=../x', /^orchard: --after: got "\.\.\/x", expected the id of a record/],
    ['--limit=0', /^orchard: --limit: got "0", expected a whole number from 1/],
  ])('refuses %s', async (word, message) => {
    const { code, stdout, stderr } = await audit(word);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('tells somebody without the role so, and fails', async () => {
    const { code, stdout, stderr } = await auditAs(readToken);
    expect([code, stdout]).toEqual([expect.any(Number), '']);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^orchard: .*admin/);
    expect((await auditAs('another-token-of-the-tests-0123456789')).stderr).toMatch(/unknown token/);
  });
});
