import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../cli/orchard.js';
import { outputIn } from './installed.js';

/**
 * Trains models by the clone's command line, all in one process: to start one takes longer than to train.
 *
 * @param folder where the process works
 * @param trainings what `orchard train` is given for each
 */
export async function trainInOneProcess(folder: string, trainings: readonly (readonly string[])[]): Promise<void> {
  const program = `
import { run } from ${JSON.stringify(pathToFileURL(join(root, 'apps/cli/dist/run.js')).href)};
for (const words of ${JSON.stringify(trainings)})
  if ((await run(['train', ...words, '--quiet', '--no-report', '--threads', '1'])) !== 0) process.exit(1);
`;
  await outputIn(folder, process.execPath, '--input-type=module', '--eval', program);
}
