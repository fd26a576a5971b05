import type { ByteRange } from '@orchard/storage';
import type { Request } from 'express';
import { CoordinatorError } from '../errors.js';

/**
 * The part of a file that a request asks for (RFC 9110, section 14), null for the whole of it. More than one part,
 * other units, and a part of an older file (`If-Range`) are answered by the whole file, as the standard allows.
 *
 * @param size of the file, in bytes
 * @param tag the file's `ETag`
 * @throws CoordinatorError `no-such-range` for a part that begins behind the end
 */
export function wantedPart(request: Request, size: number, tag: string): ByteRange | null {
  const condition = request.get('If-Range');
  if (request.method !== 'GET' || (condition !== undefined && condition !== tag)) return null;
  const ranges = request.range(size);
  if (ranges === -1) {
    const input = {
      got: `Range: ${request.get('Range')!.slice(0, 120)}`,
      expected: `bytes of the ${size} that the file has`,
      where: 'headers',
      remedy: 'Ask for less, or for the whole file.',
    };
    throw new CoordinatorError('no-such-range', input, { headers: { 'Content-Range': `bytes */${size}` } });
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  const [{ start, end }] = ranges as unknown as readonly [{ readonly start: number; readonly end: number }];
  return { start, end: end + 1 };
}

/** Whether the client says that it has these bytes (`If-None-Match`; a `W/` before a tag counts for nothing there). */
export function clientHas(request: Request, tag: string): boolean {
  const known = (request.get('If-None-Match') ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}
