import type { RowFile } from '@orchard/dataset';
import { bytes, duration } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';

/** How long a terminal may say nothing while a file is read, and how often that is looked at. */
const SILENT_MILLISECONDS = 4_000;
const LOOK_MILLISECONDS = 500;

/**
 * Says that a file is being read where nothing else is said for some seconds, until it is closed: large ones take
 * minutes. Formats that are read from front to back have how far that is, and from their second pass on of how much.
 */
export function showReading(file: RowFile, terminal: Terminal): RowFile {
  const began = performance.now();
  let now = { name: file.name, read: 0, whole: 0, isThrough: false };
  const timer = setInterval(() => {
    if (terminal.silentMilliseconds < SILENT_MILLISECONDS) return;
    const { name, read, whole, isThrough } = now;
    const taken = duration((performance.now() - began) / 1000);
    if (isThrough) terminal.progress(`orchard: at work on the rows of ${name}: ${taken}`);
    else {
      const far = read === 0 ? taken : bytes(read);
      terminal.progress(`orchard: reading ${name}: ${far}${whole === 0 ? '' : ` of ${bytes(whole)}`}`);
    }
  }, LOOK_MILLISECONDS);
  // a command that ends with a file open ends all the same
  timer.unref();

  const watched = (one: RowFile): RowFile => {
    let whole = 0;
    return {
      ...one,
      async *bytes() {
        const pass = { name: one.name, read: 0, whole, isThrough: false };
        now = pass;
        for await (const chunk of one.bytes()) {
          pass.read += chunk.length;
          yield chunk;
        }
        whole = pass.read;
        pass.isThrough = true;
      },
    };
  };
  return {
    ...watched(file),
    ...('parts' in file && { parts: (file.parts as readonly RowFile[]).map(watched) }),
    async close() {
      clearInterval(timer);
      await file.close();
    },
  };
}
