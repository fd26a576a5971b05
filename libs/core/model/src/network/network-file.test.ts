import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { RandomStream } from '@orchard/numerics';
import { pack } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { fuzzSeedFiles, readDamaged } from '../file/mutation.suite.js';
import { Network } from './network.js';
import { NETWORK_ARRAYS } from './network-body.js';
import { randomNetwork, randomParts } from './random-network.suite.js';
import { sealed } from '../file/sealed.suite.js';
import { refusal } from '../refusal.suite.js';

const names = ['größe', 'b', '名前', 'd=e', 'a name of more than thirty-one bytes, to have another header', 'f'];
const network = randomNetwork({ dimensions: 6, trees: 9, leaves: 7, seed: 2, names, shape: [2, 3] });
const bytes = network.toBytes();

/** Reads the fields of a file without any library: the map's keys and values of the types that a network file uses. */
function fieldsOf(file: Uint8Array): Map<string, unknown> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = 0;
  const value = (): unknown => {
    const token = view.getUint8(at++);
    const take = (length: number): Uint8Array => file.subarray(at, (at += length));
    if (token < 0x80) return token;
    if (token < 0x90) return new Map(Array.from({ length: token & 15 }, () => [value(), value()]));
    if (token < 0xa0) return Array.from({ length: token & 15 }, value);
    if (token < 0xc0) return new TextDecoder().decode(take(token & 31));
    if (token === 0xc0) return null;
    if (token === 0xc4) return take(view.getUint8(at++));
    if (token === 0xc5) return take(view.getUint16((at += 2) - 2));
    if (token === 0xcb) return view.getFloat64((at += 8) - 8);
    if (token === 0xd9) return new TextDecoder().decode(take(view.getUint8(at++)));
    if (token >= 0xe0) return token - 0x100;
    throw new Error(`token ${token}`);
  };
  const fields = value() as Map<string, unknown>;
  if (at !== file.length) throw new Error('bytes after the end');
  return fields;
}

describe('a network file', () => {
  it('is laid out as FORMAT.md says', () => {
    const fields = fieldsOf(bytes);
    expect([...fields.keys()].join(' ')).toBe('magic version family variables specification likelihoods body checksum');
    expect([fields.get('magic'), fields.get('version'), fields.get('family')]).toEqual(['orchard network', 2, 'lbarn']);
    const variables = fields.get('variables') as Map<string, unknown>;
    expect([...variables]).toEqual([
      ['dimensions', 6],
      ['names', names],
      ['shape', [2, 3]],
    ]);
    const body = fields.get('body') as Map<string, Uint8Array>;
    expect([...body.keys()]).toEqual([...NETWORK_ARRAYS]);
    expect([...body.get('ordering')!]).toEqual([...network.ordering]);
    expect([...body.get('treeCounts')!]).toEqual([9, 9, 9, 9, 9, 9]);
    expect(Buffer.from(fields.get('checksum') as Uint8Array)).toEqual(
      createHash('sha256').update(bytes.subarray(0, -32)).digest(),
    );
    const startOdds = body.get('startOdds')!;
    const view = new DataView(startOdds.buffer, startOdds.byteOffset);
    expect(view.getFloat64(8, true)).toBe(network.ensembles[1]!.startOdds);
  });

  it('has the same bytes for the same network, whatever the order of keys in its specification', () => {
    const parts = randomParts({ dimensions: 3, trees: 2, leaves: 3, seed: 1 });
    const one = new Network({ ...parts, specification: { b: 1, a: { d: [1, -0], c: null } } });
    const other = new Network({ ...parts, specification: { a: { c: null, d: [1, 0] }, b: 1 } });
    expect(one.toBytes()).toEqual(other.toBytes());
    expect(createHash('sha256').update(bytes).digest('hex')).toMatchInlineSnapshot(
      `"7f583a9d5538bddad8c5bdb9eb67e81e3ca38f45dafbe64e946f68e582ca5254"`,
    );
  });

  it('holds wide networks and large trees in wider integers', () => {
    for (const [dimensions, leaves, trees] of [
      [300, 3, 2],
      [5, 300, 2],
      [4, 65_536, 1],
    ] as const) {
      const parts = randomParts({ dimensions, leaves, trees, seed: 4 });
      const wide = new Network(parts);
      expect(Buffer.compare(Network.from(wide.toBytes()).toBytes(), wide.toBytes())).toBe(0);
    }
  });

  it('is read from a view into a larger buffer, a Buffer, and shared memory', () => {
    const larger = new Uint8Array(bytes.length + 13);
    larger.set(bytes, 5);
    expect(Network.from(larger.subarray(5, 5 + bytes.length)).toBytes()).toEqual(bytes);
    expect(Network.from(Buffer.from(bytes)).toBytes()).toEqual(bytes);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    expect(Network.from(shared).toBytes()).toEqual(bytes);
  });

  it('is written and read alike with and without the native part of msgpackr', () => {
    const library = createRequire(import.meta.url).resolve('msgpackr');
    const script = `
      const { Packr, Unpackr, isNativeAccelerationEnabled } = require(${JSON.stringify(library)});
      const options = { useRecords: false, variableMapSize: true, moreTypes: false, structuredClone: false };
      const bytes = Buffer.from(process.argv[1], 'base64');
      const value = new Unpackr({ ...options, mapsAsObjects: true, int64AsType: 'number' }).unpack(bytes);
      const again = new Packr(options).pack(new Map(Object.entries(value)));
      process.stdout.write(JSON.stringify([isNativeAccelerationEnabled, again.toString('base64')]));`;
    const run = (disabled: string): [boolean, string] =>
      JSON.parse(
        execFileSync(process.execPath, ['-e', script, Buffer.from(bytes).toString('base64')], {
          env: { ...process.env, MSGPACKR_NATIVE_ACCELERATION_DISABLED: disabled },
          encoding: 'utf8',
        }),
      ) as [boolean, string];
    const [plain, withoutNative] = run('true');
    expect(plain).toBe(false);
    expect(withoutNative).toBe(Buffer.from(bytes).toString('base64'));
    expect(run('false')[1]).toBe(withoutNative);
  });
});

describe('reading what is no network', () => {
  /** The file with fields of its own, of its variables or of its body changed, under a checksum that fits. */
  const fields = (change: Record<string, unknown>): Uint8Array => {
    const map = fieldsOf(bytes);
    for (const [key, value] of Object.entries(change)) {
      const inner = (['variables', 'body'] as const).map((place) => map.get(place) as Map<string, unknown>);
      const place = inner.find((each) => each.has(key)) ?? map;
      if (value === undefined) place.delete(key);
      else place.set(key, value);
    }
    return sealed(pack(map));
  };

  it('accepts the test’s own rewriting of a network', () => {
    expect(Network.from(fields({})).toBytes()).toEqual(bytes);
  });

  const damaged: [string, Uint8Array][] = [
    ['nothing', new Uint8Array(0)],
    ['text', new TextEncoder().encode('orchard network')],
    ['another map', pack({ hello: 'world' })],
    ['a map with another magic', fields({ magic: 'meadow network' })],
    ['a missing field', fields({ splitGain: undefined })],
    ['a field too many', fields({ bark: 1 })],
    ['bytes after the end', sealed(Uint8Array.of(...bytes, ...new Uint8Array(32)))],
    ['a family that is a number', fields({ family: 1 })],
    ['variables that are a list', fields({ variables: [6, null, null] })],
    ['a body that is a list', fields({ body: [] })],
    ['an array too many in its body', fields({ body: new Map([['bark', new Uint8Array(1)]]) })],
    ['version 2 in another order', pack(new Map([...fieldsOf(bytes)].reverse()))],
    ['version 2 called 1', fields({ version: 1 })],
    ['no dimensions', fields({ dimensions: 0 })],
    ['more dimensions than data', fields({ dimensions: 7, names: null, shape: null })],
    ['more dimensions than allowed', fields({ dimensions: 2 ** 18 + 1 })],
    ['an ordering that is no binary string', fields({ ordering: [0, 1, 2, 3, 4, 5] })],
    ['names that are numbers', fields({ names: [1, 2, 3, 4, 5, 6] })],
    ['a shape of three sides', fields({ shape: [1, 2, 3] })],
    ['likelihoods without a test', fields({ likelihoods: { train: 1, valid: 1 } })],
    ['tree counts beyond what follows', fields({ treeCounts: Uint8Array.of(255, 255, 255, 255, 255, 255) })],
    ['tree counts of 4 thousand millions', fields({ treeCounts: new Uint8Array(24).fill(255) })],
    ['an extension', Uint8Array.of(0x81, 0xa5, ...new TextEncoder().encode('magic'), 0xd4, 0x72, 0x40)],
    ['a record definition', Uint8Array.of(0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 0x01)],
    ['the type that msgpack never uses', Uint8Array.of(0xc1)],
    ['a list said to hold 4 thousand million values', Uint8Array.of(0xdd, 255, 255, 255, 255)],
    ['a map said to hold 4 thousand million values', Uint8Array.of(0xdf, 255, 255, 255, 255)],
    ['a binary string of 4 GiB', Uint8Array.of(0xc6, 255, 255, 255, 255)],
    ['a hundred thousand lists in each other', new Uint8Array(100_000).fill(0x91)],
    ['two million values', pack(new Array(2_000_000).fill(null))],
    ['a key that would be a prototype', pack(new Map([['__proto__', 1]]))],
    ['a key that is a number', Uint8Array.of(0x81, 1, 1)],
    ['text that is no UTF-8', Uint8Array.of(0xa2, 0xc3, 0x28)],
  ];
  it.each(damaged)('refuses %s', (_, file) => {
    const error = refusal(() => Network.from(file));
    expect(error.code).toBe('not-a-network-file');
    expect([error.retryable, error.got.length > 0, error.remedy.length > 0]).toEqual([false, true, true]);
  });

  it('says which version it cannot read', () => {
    const error = refusal(() => Network.from(fields({ version: 99 })));
    expect([error.code, error.got]).toEqual(['unsupported-version', 'version 99']);
  });

  it('refuses numbers that contradict each other, as the parts of a network', () => {
    const twice = Uint8Array.from(network.ordering);
    twice[0] = twice[1]!;
    expect(refusal(() => Network.from(fields({ ordering: twice }))).code).toBe('invalid-network');
    const body = fieldsOf(bytes).get('body') as Map<string, Uint8Array>;
    const factors = body.get('leafFactor')!.slice();
    new DataView(factors.buffer).setFloat64(40, NaN, true);
    expect(refusal(() => Network.from(fields({ leafFactor: factors }))).code).toBe('invalid-ensemble');
    const predictors = body.get('splitPredictor')!.slice().fill(5);
    expect(refusal(() => Network.from(fields({ splitPredictor: predictors }))).code).toBe('invalid-ensemble');
  });

  it('says which family it has no room for', () => {
    const error = refusal(() => Network.from(fields({ family: 'chow-liu' })));
    expect([error.code, error.got]).toEqual(['unknown-family', 'a model of the family "chow-liu"']);
    expect(error.remedy).toContain('release');
  });

  it('ends every truncation in a typed error', () => {
    for (let length = 0; length < bytes.length; length++) {
      const { code } = refusal(() => Network.from(bytes.subarray(0, length)));
      expect(code).toBe(length < 32 ? 'not-a-network-file' : 'damaged-file');
    }
  });

  it.each(['2', '1'])('of version %s ends 1,000 mutations in a network or a typed error, quickly', (version) => {
    const file = fuzzSeedFiles()[2 - Number(version)]!;
    let networks = 0;
    for (let index = 0; index < 1000; index++) if (readDamaged(file, 1, index) === 'network') networks++;
    expect(networks).toBeGreaterThan(0);
    expect(networks).toBeLessThan(1000);
  });
});

describe('a flipped byte', () => {
  /** Every bit of the byte alone, all at once, and version 2 into 1. */
  const changes = [1, 2, 4, 8, 16, 32, 64, 128, 255, 3];

  it.each(changes)('is refused wherever it is in a small file: changed by %i', (change) => {
    for (let at = 0; at < bytes.length; at++) {
      const flipped = bytes.slice();
      flipped[at]! ^= change;
      expect(refusal(() => Network.from(flipped)).code).toMatch(/damaged-file|not-a-network-file|unsupported-version/);
    }
  });

  it('is refused in 1,000 places of a larger file', () => {
    const large = randomNetwork({ dimensions: 40, trees: 100, leaves: 16, seed: 3 }).toBytes();
    const stream = new RandomStream(1, 2001);
    for (let time = 0; time < 1000; time++) {
      const at = stream.below(large.length);
      const flip = 1 << stream.below(8);
      large[at]! ^= flip;
      const { code, got, expected, remedy } = refusal(() => Network.from(large));
      if (at > 40)
        expect([code, got.length > 0, expected.length > 0, remedy.length > 0].join()).toBe(
          'damaged-file,true,true,true',
        );
      large[at]! ^= flip;
    }
    expect(Network.from(large).dimensions).toBe(40);
  });
});
