export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/**
 * Server-sent events out of text as it comes, in pieces of any size: comments are none, but a sign of life all the
 * same.
 */
export function eventLines(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let rest = '';
  let [event, id] = ['message', ''];
  let data: string[] = [];
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onEvent({ event, data: data.join('\n'), id });
        event = 'message';
        data = [];
        continue;
      }
      const at = line.indexOf(':');
      const name = at < 0 ? line : line.slice(0, at);
      const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
      if (name === 'event') event = value;
      else if (name === 'data') data.push(value);
      else if (name === 'id') id = value;
    }
  };
}
