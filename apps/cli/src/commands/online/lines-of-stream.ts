import { UsageError } from '../../output/errors.js';

/** Of no row as wide as a stream may be, with room for a name of every column. */
const MOST_CHARACTERS = 2 ** 24;
const LINE_END = /\r\n|\n|\r/;

/**
 * The lines of a text in UTF-8 as it comes, without their ends; the last one with or without.
 *
 * @throws UsageError for a line that is too long to be one, which would fill the memory
 */
export async function* linesOfStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let lines = 0;
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    begun.push(text);
    length += text.length;
    // of CR LF the second may be in the next chunk
    if (LINE_END.test(text) || begun.at(-2)?.endsWith('\r')) {
      const whole = begun.join('');
      const held = whole.endsWith('\r') ? whole.length - 1 : whole.length;
      const parts = whole.slice(0, held).split(LINE_END);
      const rest = parts.pop()! + whole.slice(held);
      lines += parts.length;
      yield* parts;
      begun = [rest];
      length = rest.length;
    }
    if (length > MOST_CHARACTERS)
      throw new UsageError({
        got: `more than ${String(MOST_CHARACTERS)} characters without the end of a line`,
        expected: 'rows of 0s and 1s, one a line',
        where: `standard input, line ${String(lines + 1)}`,
        remedy: 'Check that it is text that is piped in; the rows before it are learned and kept.',
      });
  }
  const last = (begun.join('') + decoder.decode()).replace(/\r$/, '');
  if (last !== '') yield last;
}
