import { expect, test } from 'vitest';
import { isWholePage, PAGE_SEAL_BYTES, sealedPage } from './sealed-page.js';

const html = '<!doctype html>\n<html lang="en"><p>J = 64, ν = 0.1</p></html>\n';
const page = Buffer.from(sealedPage(html));

test('a page with its seal is whole, and begins with what it was', () => {
  expect(page.toString()).toMatch(/<\/html>\n<!-- sha256 [0-9a-f]{64} of all before this -->\n$/);
  expect(page.toString().startsWith(html)).toBe(true);
  expect(page.length - Buffer.byteLength(html)).toBe(PAGE_SEAL_BYTES);
  expect(isWholePage(page)).toBe(true);
});

test('any bit of it that is another, in the page or in the seal, is noticed; so is a page that was cut off or goes on', () => {
  for (let bit = 0; bit < 8 * page.length; bit++) {
    const flipped = Buffer.from(page);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect([bit, isWholePage(flipped)]).toEqual([bit, false]);
  }
  for (const length of [0, 1, 40, page.length - PAGE_SEAL_BYTES - 1, page.length - 1])
    expect(isWholePage(page.subarray(0, length))).toBe(false);
  expect(isWholePage(Buffer.concat([page, Buffer.from(' ')]))).toBe(false);
});

test('a page of a release that sealed none is taken as it is', () => {
  expect(isWholePage(Buffer.from(html))).toBe(true);
});
