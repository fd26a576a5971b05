import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { dataFile } from '../cli/orchard.js';
import { writeSaid } from './said-to-python.js';
import { trainInOneProcess } from './train-in-one-process.js';
import {
  examples,
  installWheel,
  isTherePython,
  parts,
  passesPytest,
  PATIENCE,
  removeWheel,
  type Installation,
} from './wheel.js';

/** How a model of each kind beside networks is trained, small. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'chow-liu': ['--model', 'chow-liu'],
  'chow-liu-forest': ['--model', 'chow-liu', '--forest'],
  cutset: ['--model', 'cutset', '--choose', 'likelihood', '--min-rows', '60'],
  'cutset-mixture': [
    '--model',
    'cutset',
    '--min-rows',
    '40',
    '--components',
    '3',
    '--weights',
    'em',
    '--leaf-model',
    'product',
  ],
  'cutset-bagged': [
    ...['--model', 'cutset', '--choose', 'entropy', '--bagged', '--components', '2', '--min-rows', '60'],
  ],
  boosted: ['--model', 'boosted', '--components', '3', '--refits', '2'],
  products: ['--model', 'mixture', '--components', '70', '--hierarchy', 'none', '--pseudo-count', '1', '--steps', '4'],
  'shrunken-products': ['--model', 'mixture', '--components', '8', '--penalty', '1', '--steps', '4'],
  trees: ['--model', 'mixture', '--of', 'trees', '--components', '3', '--pseudo-count', '10', '--steps', '3'],
  sparn: ['--model', 'sparn', '--penalty', '16,4'],
  'sparn-mixture': ['--model', 'sparn', '--components', '2', '--penalty', '16', '--steps', '1'],
  compositional: ['--model', 'compositional', '--experts', '4', '--restarts', '1', '--steps', '3'],
  'highest-opinions': [
    ...['--model', 'compositional', '--composition', 'max', '--experts', '4'],
    ...['--restarts', '1', '--steps', '2'],
  ],
  'summed-log-odds': [
    ...['--model', 'compositional', '--composition', 'log-odds', '--experts', '3'],
    ...['--restarts', '1', '--steps', '2'],
  ],
  partition: ['--model', 'partition', '--experts', '4', '--restarts', '1', '--steps', '3'],
};

/** Trains a model of each kind. */
function trainModels(folder: string): Promise<void> {
  const trees = ['--rounds', '12', '--leaves', '8'];
  const mushrooms = dataFile('mushrooms', 'valid');
  return trainInOneProcess(folder, [
    ...Object.entries({ ...kinds, trained: trees }).map(([name, words]) => [mushrooms, ...words, '--out', name]),
    [join(examples, 'rentals.csv'), ...trees, '--out', 'table'],
  ]);
}

describe.skipIf(!isTherePython)(
  'models of every family, read by orchard-density (skipped without Python)',
  PATIENCE,
  () => {
    let installed: Installation | undefined;

    beforeAll(async () => {
      installed = await installWheel();
      const { folder, said } = installed;
      await trainModels(folder);
      const modelOf = (run: string) => join(folder, run, 'network.msgpack');
      const bits = Object.fromEntries([...Object.keys(kinds), 'trained'].map((name) => [name, modelOf(name)]));
      writeSaid(said, { bits, table: { trained: modelOf('table') } });
    }, PATIENCE.timeout);
    afterAll(() => removeWheel(installed));

    it('say there what they say here', async (context) => {
      await passesPytest(installed!, context, parts.files);
    });
  },
);
