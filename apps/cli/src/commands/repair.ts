import { StorageError, type ObjectStore } from '@orchard/storage';
import { artefactNames, damagedArtefacts, loadDataset, openRun, PipelineError, type Run } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { connectTo, type ServerOptions, serverOption } from '../client/commands.js';
import { declareCommand } from '../options/add-command.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { isFolder, runOfFolder, storeOfFolder } from '../run-folder/stored-run.js';

const repairOptions = () => [serverOption()];

export const addRepairCommand = declareCommand(
  {
    name: 'repair',
    description: 'Remove damaged results of a run, so that they are computed again, to the same bytes.',
    places: [['<RUN>', 'folder of a run, or id of a run of the coordinator (its first digits are enough)']],
    options: repairOptions,
    examples: [
      ['orchard repair 3fa2c1', 'the run continues at once'],
      ['orchard repair run', 'the next orchard train --out run continues'],
    ],
  },
  (given, options, terminal) => (isFolder(given) ? repairFolder(given, terminal) : repairRun(given, options, terminal)),
);

async function repairRun(given: string, options: ServerOptions, terminal: Terminal): Promise<void> {
  const client = await connectTo(options, terminal);
  const id = await client.find(given);
  const { dropped, lost, datasets } = await client.repair(id);
  const next = `orchard watch ${id.slice(0, 12)} follows it`;
  terminal.result(describe(id, dropped, `They are computed again as soon as a model needs them; ${next}.`));
  if (lost > 0) terminal.result(`${counted(lost, 'result')} of it that the store has lost: made anew; ${next}`);
  for (const dataset of datasets)
    terminal.note(
      `orchard: the rows ${dataset} are damaged, and the run has failed by them: the orchard submit command of this run uploads them again, which heals them, and continues it`,
    );
  terminal.document({ id, dropped, lost, datasets });
}

async function repairFolder(path: string, terminal: Terminal): Promise<void> {
  const store = await storeOfFolder(path);
  const id = await runOfFolder(path, store);
  const { dropped, datasets, isWhole } = await drop(store, id);
  const rest = isWhole ? '' : ' Then repair once more: what else there is can be looked at again.';
  terminal.result(describe(id, dropped, `The orchard train command of this folder makes them anew.${rest}`));
  for (const dataset of datasets) {
    terminal.note(
      `orchard: the rows ${dataset} are damaged too: the orchard train command of this folder stores them anew`,
    );
  }
  terminal.document({ id, dropped, datasets });
}

interface Dropped {
  readonly dropped: readonly string[];
  /** Names of data sets that are damaged. Only a user who has the rows can store them again, which heals them. */
  readonly datasets: readonly string[];
  /** Whether all was looked at. */
  readonly isWhole: boolean;
}

async function drop(store: ObjectStore, id: string): Promise<Dropped> {
  const run = await openRun(store, id).catch((error: unknown) => {
    if (isDamage(error)) return null;
    throw error;
  });
  // without its specification it is unknown whose artefacts these are; once it is stored again they can be looked at
  const names =
    run === null
      ? [artefactNames.specification(id)]
      : await damagedArtefacts(store, families.of(run.specification), run);
  for (const name of names) await store.delete(name);
  return { dropped: names, datasets: run === null ? [] : await damagedDatasets(store, run), isWhole: run !== null };
}

async function damagedDatasets(store: ObjectStore, { specification: { train, valid, test } }: Run): Promise<string[]> {
  const found: string[] = [];
  for (const id of new Set([train, valid, ...(test === null ? [] : [test])])) {
    try {
      await loadDataset(store, id);
    } catch (error) {
      if (!isDamage(error)) throw error;
      found.push(artefactNames.dataset(id));
    }
  }
  return found;
}

function isDamage(error: unknown): boolean {
  return (
    (error instanceof PipelineError && error.code === 'damaged-artefact') ||
    (error instanceof StorageError && error.code === 'damaged')
  );
}

function describe(id: string, dropped: readonly string[], next: string): string {
  if (dropped.length === 0) return `nothing that was computed of run ${id} is damaged`;
  return [`dropped ${counted(dropped.length, 'damaged object')} of run ${id}:`, ...dropped, next].join('\n');
}
