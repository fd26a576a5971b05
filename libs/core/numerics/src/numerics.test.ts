import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  exp,
  gaussianBelow,
  gridExponent,
  gridOffset,
  log,
  log1p,
  philox4x32,
  Purpose,
  randomBits,
  RandomStream,
} from './index.js';
import { exponent, mantissaOf, powerOfTwo } from './scale.js';

/**
 * Arguments with their values to about 106 bits (a double and its remainder), computed with 60 and more decimal digits.
 */
const precise = JSON.parse(readFileSync(new URL('precise-values.json', import.meta.url), 'utf8')) as Record<
  'exp' | 'log' | 'log1p',
  [string, string, string][]
>;

const fromHex = (hex: string) => Buffer.from(hex, 'hex').readDoubleBE();

function unitInLastPlace(x: number): number {
  const bits = new BigInt64Array(new Float64Array([Math.abs(x)]).buffer);
  bits[0]! += 1n;
  return new Float64Array(bits.buffer)[0]! - Math.abs(x);
}

describe.each([
  ['exp', exp],
  ['log', log],
  ['log1p', log1p],
] as const)('%s', (name, compute) => {
  it('is within 1 ulp of high-precision values', () => {
    let worst = 0;
    for (const [argument, value, remainder] of precise[name]) {
      const expected = fromHex(value);
      const error = Math.abs(compute(fromHex(argument)) - expected - fromHex(remainder)) / unitInLastPlace(expected);
      expect(error, `${name}(${fromHex(argument)})`).toBeLessThan(1);
      worst = Math.max(worst, error);
    }
    expect(precise[name].length).toBeGreaterThan(250);
    expect(worst).toBeGreaterThan(0.4); // the table does measure something: no function is rounded exactly throughout
  });
});

describe('the ends of the range', () => {
  it('exp overflows to Infinity, underflows to 0 and keeps NaN', () => {
    expect([exp(710), exp(-746), exp(0), exp(NaN)]).toEqual([Infinity, 0, 1, NaN]);
  });
  it('log and log1p refuse what they are not defined for', () => {
    expect([log(0), log(-1), log(Infinity), log(1)]).toEqual([-Infinity, NaN, Infinity, 0]);
    expect([log1p(-0.5), log1p(0), log1p(Infinity)]).toEqual([NaN, 0, Infinity]);
  });
  it('powers of two and exponents agree with each other over the whole range', () => {
    for (let k = -1022; k <= 1023; k++) {
      expect(powerOfTwo(k)).toBe(2 ** k);
      for (const m of [1, 1.5, 2 - 2 ** -52]) expect([mantissaOf(m * 2 ** k), exponent]).toEqual([m, k]);
    }
    expect([mantissaOf(5e-324), exponent]).toEqual([1, -1074]);
  });
});

it('does what the README shows', () => {
  expect(log(exp(1))).toBe(1);
  expect(new RandomStream(7, Purpose.sample, 3).uniform()).toBe(0.5636619651828393);
});

describe('the grid', () => {
  it('has the exponent ceil(log2 rows), at least 1', () => {
    expect([1, 2, 3, 4, 5, 1400, 32152, 65536, 65537].map(gridExponent)).toEqual([1, 1, 2, 2, 3, 11, 15, 16, 17]);
  });
  it('makes sums independent of their order', () => {
    const offset = gridOffset(5000);
    const values = Array.from({ length: 5000 }, (_, i) => Math.sin(i) + offset - offset);
    const forward = values.reduce((sum, value) => sum + value, 0);
    expect(values.reverse().reduce((sum, value) => sum + value, 0)).toBe(forward);
  });
});

describe('random numbers', () => {
  it('are Philox4x32-10, by its published test vectors', () => {
    const out = new Uint32Array(4);
    const hex = () => Array.from(out, (word) => word.toString(16).padStart(8, '0')).join(' ');
    philox4x32(out, 0, 0, 0, 0, 0, 0);
    expect(hex()).toBe('6627e8d5 e169c58d bc57ac4c 9b00dbd8');
    philox4x32(out, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff);
    expect(hex()).toBe('408f276d 41c83b0e a20bc7c6 6d5451fd');
    philox4x32(out, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0);
    expect(hex()).toBe('d16cfe09 94fdcceb 5001e420 24126ea1');
  });
  it('come from a stream in the order of their counters', () => {
    const stream = new RandomStream(7, Purpose.sample, 3);
    const drawn = Array.from({ length: 9 }, () => stream.uint32());
    expect(drawn).toEqual(drawn.map((_, counter) => randomBits(7, Purpose.sample, 3, counter)));
  });
  it('differ between seeds, purposes and indices', () => {
    const first = (seed: number, purpose: number, index: number) => new RandomStream(seed, purpose, index).uint32();
    expect(
      new Set([first(1, 1, 0), first(2, 1, 0), first(1, 2, 0), first(1, 1, 1), first(1 + 2 ** 32, 1, 0)]).size,
    ).toBe(5);
  });
  it('are uniform in [0, 1) and below a bound', () => {
    const stream = new RandomStream(1, Purpose.split);
    let sum = 0;
    const counts = [0, 0, 0, 0, 0];
    for (let i = 0; i < 10_000; i++) {
      const draw = stream.uniform();
      expect(draw >= 0 && draw < 1).toBe(true);
      sum += draw;
      counts[stream.below(5)]!++;
    }
    expect(sum / 10_000).toBeCloseTo(0.5, 1);
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });
  it('refuse a seed that is no whole number', () => {
    expect(() => new RandomStream(-1, 1)).toThrow(/seed/);
  });
});

it('a Gaussian is summed to the last digits', () => {
  for (const [x, below] of [
    [0, 0.5],
    [1, 0.841344746068543],
    [-3, 0.00134989803163009],
    [6, 0.999999999013412],
    [-9, 0],
  ] as const)
    expect(gaussianBelow(x)).toBeCloseTo(below, 14);
  expect(log(gaussianBelow(-6))).toBeCloseTo(Math.log(9.86587645037698e-10), 6);
});
