import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Coins, coinsCodec } from '../port/coins.suite.js';
import { describeDensityModel } from '../port/density-model.suite.js';
import { Network, networkCodec } from '../network/network.js';
import { openModel } from './open-model.js';
import { randomNetwork } from '../network/random-network.suite.js';
import { refusal } from '../refusal.suite.js';

describeDensityModel('a network, as a density model', {
  codec: networkCodec,
  make: ({ dimensions, names, shape }) =>
    randomNetwork({ dimensions, names, shape, trees: 5, leaves: 5, strongest: 1.5, seed: 7 }),
});

describeDensityModel('a model of independent coins', {
  codec: coinsCodec,
  make: (variables) =>
    new Coins(
      { ...variables, specification: { of: 'tests' }, likelihoods: { train: -1, valid: null, test: null } },
      Float64Array.from({ length: variables.dimensions }, (_, column) => 0.2 + 0.1 * (column % 6)),
    ),
});

describe('opening a model', () => {
  const network = randomNetwork({ dimensions: 4, trees: 2, leaves: 3, seed: 1 }).toBytes();
  const coins = new Coins(
    {
      dimensions: 2,
      names: null,
      shape: null,
      specification: null,
      likelihoods: { train: null, valid: null, test: null },
    },
    Float64Array.of(0.5, 0.25),
  ).toBytes();

  it('gives a model of the family that the file names', () => {
    const families = [networkCodec, coinsCodec];
    expect(openModel(network, families)).toBeInstanceOf(Network);
    expect(openModel(coins, families)).toBeInstanceOf(Coins);
    expect(openModel(coins, [...families].reverse())).toBeInstanceOf(Coins);
    const old = readFileSync(new URL('./network-v1.msgpack', import.meta.url));
    expect(openModel(old, families)).toBeInstanceOf(Network);
  });

  it('refuses a family that nobody registered, and says which there are', () => {
    const { code, got, expected, remedy } = refusal(() => openModel(coins, [networkCodec]));
    expect({ code, got, expected, remedy }).toEqual({
      code: 'unknown-family',
      got: 'a model of the family "coins"',
      expected: 'lbarn',
      remedy: 'Read it with a release that knows this family.',
    });
    expect(refusal(() => openModel(coins, [])).expected).toContain('no family is registered');
    expect(refusal(() => Network.from(coins)).code).toBe('unknown-family');
  });

  it('takes one codec for each family', () => {
    expect(() => openModel(coins, [coinsCodec, { ...coinsCodec }])).toThrow(/2 codecs/);
  });

  it('refuses a family whose name is no word, before it is written', () => {
    const odd = Object.assign(Object.create(Coins.prototype) as Coins, openModel(coins, [coinsCodec]), {
      family: 'A b',
    });
    expect(refusal(() => odd.toBytes())).toMatchObject({ code: 'invalid-network', where: 'family' });
  });
});
