import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { argv } from '../../infra/command-line.mjs';
import { mushrooms } from '../cli/orchard.js';
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

type Kinds = Readonly<Record<string, readonly string[]>>;
/** How a model of each family beside networks is trained, small. */
const kinds: Kinds = {
  'chow-liu': argv`--model chow-liu`,
  cutset: argv`--model cutset --choose likelihood --min-rows 60`,
  'cutset-mixture': argv`--model cutset --min-rows 40 --components 3 --weights em --leaf-model product`,
  boosted: argv`--model boosted --components 3 --refits 2`,
  products: argv`--model mixture --components 70 --hierarchy none --pseudo-count 1 --steps 4`,
  trees: argv`--model mixture --of trees --components 3 --pseudo-count 10 --steps 3`,
  sparn: argv`--model sparn --penalty 16,4`,
  compositional: argv`--model compositional --experts 4 --restarts 1 --steps 3`,
  partition: argv`--model partition --experts 4 --restarts 1 --steps 3`,
};
/** Others of a family that is there: the file is of the same form. */
const variants: Kinds = {
  'chow-liu-forest': argv`--model chow-liu --forest`,
  'cutset-bagged': argv`--model cutset --choose entropy --bagged --components 2 --min-rows 60`,
  'shrunken-products': argv`--model mixture --components 8 --penalty 1 --steps 4`,
  'sparn-mixture': argv`--model sparn --components 2 --penalty 16 --steps 1`,
  'highest-opinions': argv`--model compositional --composition max --experts 4 --restarts 1 --steps 2`,
  'summed-log-odds': argv`--model compositional --composition log-odds --experts 3 --restarts 1 --steps 2`,
};

/** Of 112: Python goes through a model column by column, and three times as many show nothing more. */
const COLUMNS = 40;

/** Trains a model of each kind, and has all say what Python is to say. */
async function write({ folder, said }: Installation, some: Kinds): Promise<void> {
  const trees = argv`--rounds 12 --leaves 8`;
  const bits = { ...some, trained: trees };
  const rows = join(folder, 'mushrooms.csv');
  await writeFile(rows, mushrooms('valid', 500, COLUMNS).join('\n'));
  await trainInOneProcess(folder, [
    ...Object.entries(bits).map(([name, words]) => [rows, ...words, '--out', name]),
    [join(examples, 'rentals.csv'), ...trees, '--out', 'table'],
  ]);
  const modelOf = (run: string) => join(folder, run, 'network.msgpack');
  const files = Object.fromEntries(Object.keys(bits).map((name) => [name, modelOf(name)]));
  writeSaid(said, { bits: files, table: { trained: modelOf('table') } });
}

describe.skipIf(!isTherePython)(
  'models of every family, read by orchard-density (skipped without Python)',
  PATIENCE,
  () => {
    let installed: Installation | undefined;

    beforeAll(async () => {
      installed = await installWheel();
    }, PATIENCE.timeout);
    afterAll(() => removeWheel(installed));

    it('say there what they say here', async (context) => {
      await write(installed!, kinds);
      await passesPytest(installed!, context, parts.files);
    });

    it('say so whatever the family was told to learn', { tags: 'nightly' }, async (context) => {
      // contradictions are made of a tree's file
      await write(installed!, { ...variants, 'chow-liu': kinds['chow-liu']! });
      await passesPytest(installed!, context, parts.files);
    });
  },
);
