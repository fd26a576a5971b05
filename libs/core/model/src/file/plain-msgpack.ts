import { ModelError } from '../errors.js';

/** Values in a file beside what lies in binary strings: names and the specification. */
const MOST_VALUES = 2 ** 20;
const DEEPEST = 48;

/**
 * Walks msgpack bytes without building anything, and refuses whatever a decoder could stumble over: extensions (which
 * libraries take for records, classes or references), lengths beyond the end, deep nesting, more values than a network
 * file can have, keys that are no text or are `__proto__`, text that is not UTF-8, and bytes after the value. One pass,
 * constant memory.
 * @throws ModelError `not-a-network-file`, with the offset
 */
export function checkPlainMsgpack(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  // of each open array or map: values still to come; maps count keys and values, and have a key next where that is even
  const remaining = new Float64Array(DEEPEST);
  const isMap = new Uint8Array(DEEPEST);
  let depth = 0;
  let values = 0;
  let at = 0;

  const refuse = (got: string, expected: string): never => {
    throw new ModelError('not-a-network-file', {
      got,
      expected,
      where: `byte ${at}`,
      remedy: 'Get the file again from where it was made.',
    });
  };
  const need = (count: number): void => {
    if (count > bytes.length - at) refuse('the end of the file', `${count} more bytes`);
  };
  const length = (size: 1 | 2 | 4): number => {
    need(size);
    const value = size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at) : view.getUint32(at);
    at += size;
    return value;
  };
  const skip = (count: number): void => {
    need(count);
    at += count;
  };
  const text = (count: number, isKey: boolean): void => {
    need(count);
    let decoded = '';
    try {
      decoded = utf8.decode(bytes.subarray(at, at + count));
    } catch {
      refuse('bytes that are no UTF-8', 'text');
    }
    if (isKey && decoded === '__proto__') refuse('the key __proto__', 'another name');
    at += count;
  };
  const open = (count: number, map: boolean): void => {
    if (count === 0) return;
    if (depth === DEEPEST) refuse('deeper nesting', `at most ${DEEPEST} levels`);
    if (count * (map ? 2 : 1) > bytes.length - at) refuse('the end of the file', `${count} entries`);
    remaining[depth] = count * (map ? 2 : 1);
    isMap[depth] = map ? 1 : 0;
    depth++;
  };

  do {
    if (++values > MOST_VALUES) refuse(`more than ${MOST_VALUES} values`, 'a network');
    let isKey = false;
    if (depth > 0) {
      isKey = isMap[depth - 1] === 1 && remaining[depth - 1]! % 2 === 0;
      remaining[depth - 1]!--;
    }
    need(1);
    const token = bytes[at]!;
    const isText = (token >= 0xa0 && token < 0xc0) || (token >= 0xd9 && token <= 0xdb);
    if (isKey && !isText) refuse(`a key of type 0x${token.toString(16)}`, 'text');
    at++;
    if (isText) {
      if (token < 0xc0) text(token & 31, isKey);
      else text(length(token === 0xd9 ? 1 : token === 0xda ? 2 : 4), isKey);
    } else if (token < 0x80 || token >= 0xe0 || token === 0xc0 || token === 0xc2 || token === 0xc3) {
      // a small integer, nil, false or true: nothing follows
    } else if (token < 0x90) open(token & 15, true);
    else if (token < 0xa0) open(token & 15, false);
    else if (token === 0xdc) open(length(2), false);
    else if (token === 0xdd) open(length(4), false);
    else if (token === 0xde) open(length(2), true);
    else if (token === 0xdf) open(length(4), true);
    else if (token === 0xc4) skip(length(1));
    else if (token === 0xc5) skip(length(2));
    else if (token === 0xc6) skip(length(4));
    else if (token === 0xcc || token === 0xd0) skip(1);
    else if (token === 0xcd || token === 0xd1) skip(2);
    else if (token === 0xce || token === 0xd2 || token === 0xca) skip(4);
    else if (token === 0xcf || token === 0xd3 || token === 0xcb) skip(8);
    else refuse(`type 0x${token.toString(16)}`, 'plain msgpack without extensions');
    while (depth > 0 && remaining[depth - 1] === 0) depth--;
  } while (depth > 0);
  if (at !== bytes.length) refuse(`${bytes.length - at} bytes after the end`, 'one value');
}
