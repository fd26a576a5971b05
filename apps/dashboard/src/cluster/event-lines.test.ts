import { expect, test } from 'vitest';
import { eventLines, type ServerEvent } from './event-lines.js';

const text = ': still here\n\nid: 4\nevent: status\ndata: {"a":\ndata: 1}\n\nid: 5\r\ndata: é\r\n\r\n: gone';
const expected = [
  { event: 'status', data: '{"a":\n1}', id: '4' },
  { event: 'message', data: 'é', id: '5' },
];

test('events are the same, in whatever pieces their text comes', () => {
  for (let size = 1; size <= text.length; size++) {
    const events: ServerEvent[] = [];
    const read = eventLines((event) => events.push(event));
    for (let at = 0; at < text.length; at += size) read(text.slice(at, at + size));
    expect(events, `pieces of ${String(size)}`).toEqual(expected);
  }
});
