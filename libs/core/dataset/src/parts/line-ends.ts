const LF = 10;
const CR = 13;

/** Bytes behind so many lines. A line ends in LF, CR LF or CR. */
export async function* behindLines(bytes: AsyncIterable<Uint8Array>, lines: number): AsyncGenerator<Uint8Array, void> {
  let left = lines;
  let isBehindReturn = false;
  for await (const chunk of bytes) {
    let at = 0;
    while (at < chunk.length && (left > 0 || isBehindReturn)) {
      const byte = chunk[at]!;
      if (isBehindReturn) {
        isBehindReturn = false;
        if (byte === LF) at++;
        continue;
      }
      at++;
      if (byte === LF || byte === CR) left--;
      isBehindReturn = byte === CR;
    }
    if (at < chunk.length) yield chunk.subarray(at);
  }
}

/** How many lines there are; the last one needs no end. */
export async function countLines(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let lines = 0;
  let last = LF;
  for await (const chunk of bytes) {
    for (const byte of chunk) {
      if (byte === CR || (byte === LF && last !== CR)) lines++;
      last = byte;
    }
  }
  return last === LF || last === CR ? lines : lines + 1;
}

/** Whether a text ends behind a line end. */
export function endsLine(last: number): boolean {
  return last === LF || last === CR;
}
