import { DatasetError, type TextFile } from '@orchard/dataset';

/** A file of the reader's disk, read by the browser as often as it is asked for. @param onRead bytes that were read */
export async function droppedFile(file: File, onRead: (bytes: number) => void): Promise<TextFile> {
  const { name } = file;
  const [first, second] = new Uint8Array(await readOr(name, file.slice(0, 2).arrayBuffer()));
  const isZipped = first === 0x1f && second === 0x8b;
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    let read = 0;
    const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        read += chunk.length;
        onRead(read);
        out.enqueue(chunk);
      },
    });
    const raw = file.stream().pipeThrough(counted);
    const reader = (isZipped ? raw.pipeThrough(new DecompressionStream('gzip')) : raw).getReader();
    try {
      for (;;) {
        const { done, value } = await (isZipped ? unzippedOr(name, reader.read()) : readOr(name, reader.read()));
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }
  return {
    name,
    bytes,
    async head(most) {
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of bytes()) {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= most) break;
      }
      const head = new Uint8Array(length);
      let at = 0;
      for (const chunk of chunks) {
        head.set(chunk, at);
        at += chunk.length;
      }
      return head.subarray(0, most);
    },
    close: () => Promise.resolve(),
  };
}

/** @throws DatasetError where the browser may not read the file, or no longer */
export async function readOr<Read>(name: string, reading: Promise<Read>): Promise<Read> {
  try {
    return await reading;
  } catch (cause) {
    throw new DatasetError(
      'source',
      {
        got: 'a file that the browser cannot read',
        expected: 'one that is there and was not changed since it was chosen',
        where: name,
        remedy: 'Choose it again.',
      },
      { cause },
    );
  }
}

async function unzippedOr<Read>(name: string, reading: Promise<Read>): Promise<Read> {
  try {
    return await reading;
  } catch (cause) {
    throw new DatasetError(
      'truncated',
      {
        got: 'gzip that does not hold or ends too early',
        expected: 'a whole gzip file',
        where: name,
        remedy: 'Copy or compress the file again.',
      },
      { cause },
    );
  }
}
