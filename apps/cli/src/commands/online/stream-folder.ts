import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError } from '@orchard/model';
import { families, isModelOfStream, modelOfStream, stateBytes, streamFrom, type OnlineStream } from '@orchard/registry';
import { networkFileName } from '@orchard/pipeline';
import { makeFolder } from '@orchard/storage';
import { systemCodeOf, writeFailure } from '../../output/disk-error.js';
import { UsageError } from '../../output/errors.js';
import { writeOutput } from '../../output/write-output.js';

/** Where a stream is kept: its state, from which it goes on, and the model so far. */
export class StreamFolder {
  readonly statePath: string;
  readonly modelPath: string;
  /** How many rows the state in the folder has learned. */
  keptRows = 0;
  keptAt = performance.now();

  private constructor(readonly path: string) {
    this.statePath = join(path, 'state.msgpack');
    this.modelPath = join(path, networkFileName);
  }

  /**
   * Makes the folder where it is not there.
   *
   * @returns the stream in it, null where none was begun
   * @throws Refusal of a place that cannot be written to, of a state that is damaged or none, and of the model of no
   *   stream, which would be replaced
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
      await refuseOtherModel(folder);
      return { folder, stream: null };
    }
  }

  /** @throws Refusal of a place that cannot be written to: what was kept before is kept still */
  async keep(stream: OnlineStream): Promise<void> {
    if (stream.forest.state.rows === this.keptRows) return;
    // the state last: what is in the model is then never more than a moment behind it, and a kill between the two loses
    // nothing
    await writeOutput(this.modelPath, '--out', modelOfStream(stream).toBytes());
    await writeOutput(this.statePath, '--out', stateBytes(stream));
    this.keptRows = stream.forest.state.rows;
    this.keptAt = performance.now();
  }
}

/** A model without a state is of a stream that was stopped between the two, or of something else. */
async function refuseOtherModel({ path, modelPath }: StreamFolder): Promise<void> {
  if (!existsSync(modelPath)) return;
  const bytes = await readFile(modelPath);
  try {
    if (isModelOfStream(families.openModel(bytes))) return;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
  }
  throw new UsageError({
    got: `${path}, in which ${networkFileName} is not of a stream`,
    expected: 'a folder that is empty, or that orchard online wrote',
    where: '--out',
    remedy: 'Name another folder.',
  });
}
