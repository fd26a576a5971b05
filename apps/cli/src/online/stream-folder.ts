import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelOfStream, stateBytes, streamFrom, type OnlineStream } from '@orchard/online-forest';
import { makeFolder } from '@orchard/storage';
import { systemCodeOf, writeFailure } from '../disk-error.js';
import { writeOutput } from '../write-output.js';

/** Where a stream is kept: its state, from which it goes on, and the model so far. */
export class StreamFolder {
  readonly statePath: string;
  readonly modelPath: string;
  /** How many rows the state in the folder has learned. */
  keptRows = 0;
  keptAt = performance.now();

  private constructor(readonly path: string) {
    this.statePath = join(path, 'state.msgpack');
    this.modelPath = join(path, 'network.msgpack');
  }

  /**
   * Makes the folder where it is not there.
   *
   * @returns the stream in it, null where none was begun
   * @throws Refusal of a place that cannot be written to, and of a state that is damaged or none
   */
  static async open(path: string): Promise<{ readonly folder: StreamFolder; readonly stream: OnlineStream | null }> {
    const folder = new StreamFolder(path);
    try {
      await makeFolder(path);
      const stream = streamFrom(await readFile(folder.statePath));
      folder.keptRows = stream.forest.state.rows;
      return { folder, stream };
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === null) throw error;
      if (code !== 'ENOENT' || (error as NodeJS.ErrnoException).path !== folder.statePath)
        throw writeFailure(path, '--out', error);
      return { folder, stream: null };
    }
  }

  /** @throws Refusal of a place that cannot be written to: what was kept before is kept still */
  async keep(stream: OnlineStream): Promise<void> {
    if (stream.forest.state.rows === this.keptRows) return;
    // the state last: what is in the model is then never more than a moment behind it, and a kill between the two loses nothing
    await writeOutput(this.modelPath, '--out', modelOfStream(stream).toBytes());
    await writeOutput(this.statePath, '--out', stateBytes(stream));
    this.keptRows = stream.forest.state.rows;
    this.keptAt = performance.now();
  }
}
