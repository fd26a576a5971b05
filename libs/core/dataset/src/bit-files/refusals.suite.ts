import { expect } from 'vitest';
import type { DatasetError, DatasetErrorCode } from '../errors.js';
import type { ReadOptions } from '../reading/options.js';

/** Code, got, expected, where and remedy; a text stands for what contains it. */
export type Facts = [code: DatasetErrorCode, got: string, expected: string, where: string | undefined, remedy: string];

/** Fails unless an error says all of it. */
export function checkRefusal(error: DatasetError, [code, got, expected, where, remedy]: Facts): void {
  expect(error.message).toContain(error.got);
  expect(error).toMatchObject({
    code,
    got: expect.stringContaining(got) as unknown,
    expected: expect.stringContaining(expected) as unknown,
    remedy: expect.stringContaining(remedy) as unknown,
    retryable: false,
  });
  expect(error.where).toBe(where);
  // one plain sentence after another, for those who see the message alone
  expect(error.message).toBe(
    `${where === undefined ? '' : `${where}: `}got ${error.got}, expected ${error.expected}. ${error.remedy}`,
  );
}

/** Content that is to be refused, and why. */
export function refused(
  content: string | Uint8Array,
  facts: Facts,
  options: ReadOptions & { name?: string } = {},
): { content: string | Uint8Array; facts: Facts; options: ReadOptions & { name?: string } } {
  return { content, facts, options };
}
