import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Network } from '@orchard/model';
import { randomNetwork } from '@orchard/model/conformance/networks';
import { mixtureOf } from '@orchard/members';
import { describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
/** A network of the first release. */
const oldest = fileURLToPath(new URL('../../../../libs/core/model/src/file/network-v1.msgpack', import.meta.url));

describe('orchard compact', () => {
  it('rewrites a file of version 1 as one of version 5, smaller, that says the same within the rounding', async () => {
    const { code, stdout, document } = await orchard('compact', oldest, '--out', at('small.msgpack'), '--json');
    expect([code, document['path']], stdout).toEqual([0, at('small.msgpack')]);
    const [before, after] = [readFileSync(oldest), readFileSync(at('small.msgpack'))];
    expect([before[31], after[31]]).toEqual([1, 5]);
    expect(document).toMatchObject({ bytes: after.length, bytesBefore: before.length });
    expect(after.length).toBeLessThan(before.length / 2);
    const [old, small] = [Network.from(before), Network.from(after)];
    const rows = old.sample(200, 1);
    const expected = old.logLikelihood(rows);
    // 336 trees of at most 2^-16 each
    small
      .logLikelihood(rows)
      .forEach((nats, row) => expect(Math.abs(nats - expected[row]!)).toBeLessThan(336 * 2 ** -16));
    expect(document['largestDifference']).toBeLessThan(336 * 2 ** -16);
    expect([small.names, small.likelihoods, small.specification]).toEqual([
      ...[old.names, old.likelihoods, old.specification],
    ]);
  });

  it('says both sizes and how far figures move, and may replace the file', async () => {
    const members = [1, 2].map((seed) => randomNetwork({ dimensions: 9, trees: 30, leaves: 7, seed }));
    const { specification, likelihoods } = members[0]!;
    const weights = Float64Array.of(0.5, 0.5);
    writeFileSync(at('mixture.msgpack'), mixtureOf({ members, weights, specification, likelihoods }).toBytes());
    const { code, stdout, stderr } = await orchard('compact', at('mixture.msgpack'), '--out', at('mixture.msgpack'));
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /mixture\.msgpack: .+B, before .+B \(\d\.\d times\)\nOn 1,000 rows .* at most \d\.\de-\d+ nats/,
    );
    const again = await orchard('compact', at('mixture.msgpack'), '--out', at('again.msgpack'));
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/NETWORK: .*as small as this release/s)]);
    const forced = await orchard('compact', at('mixture.msgpack'), '--out', at('again.msgpack'), '--force');
    expect(forced.code, forced.stderr).toBe(0);
    expect(Buffer.compare(readFileSync(at('again.msgpack')), readFileSync(at('mixture.msgpack')))).toBe(0);
  });

  it('asks for a file to write', async () => {
    expect(await orchard('compact', oldest)).toMatchObject({ code: 2, stderr: expect.stringContaining('--out') });
  });
});
