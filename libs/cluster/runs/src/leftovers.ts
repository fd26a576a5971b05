import { artefactNames } from '@orchard/pipeline';
import type { ObjectEntry } from '@orchard/storage';
import type { Life } from './lifecycle.js';
import type { History } from './history.js';

/** An object that is not needed any more. */
export interface Leftover extends ObjectEntry {
  readonly why: string;
}

/**
 * The objects of a run that are not needed: all of a run that was deleted, or that has neither marks nor a
 * specification, so that nothing could ever read it; else the checkpoints of tasks whose artefact is stored (of all,
 * once the run is done) and the attempts of earlier epochs. A run that has a specification and no marks is that of a
 * user who trained on one machine: it is left alone. So is one that is being deleted, since its reconciler removes it,
 * and one whose marks are damaged, since it cannot be known what it was.
 *
 * @param entries all objects below `runs/<run>/`
 */
export function leftoversOf(run: string, entries: readonly ObjectEntry[], history: History): readonly Leftover[] {
  const all = (why: string): Leftover[] => entries.map((entry) => ({ ...entry, why }));
  const { life } = history;
  if (history.damage !== null || life?.standing === 'deleting') return [];
  if (life === null) {
    if (history.marks > 0) return all('its run was deleted');
    const isCreated = entries.some(({ name }) => name === artefactNames.specification(run));
    return isCreated ? [] : all('its run was never created');
  }
  const folder = artefactNames.run(run).length;
  const stored = new Set(
    entries.map(({ name }) => name.slice(folder)).flatMap((rest) => artefact.exec(rest)?.[1] ?? []),
  );
  const isStored = (key: string): boolean => stored.has(key);
  return entries.flatMap((entry) => {
    const why = reasonOf(entry.name.slice(folder), life, isStored);
    return why === null ? [] : [{ ...entry, why }];
  });
}

/** An artefact's name within its run: a folder, and the key of its task. */
const artefact = /^[^/]+\/([^/]+)$/;
/** A checkpoint's: the key of its task, and a round. */
const checkpoint = /^checkpoints\/([^/]+)\//;

function reasonOf(rest: string, life: Life, isStored: (key: string) => boolean): string | null {
  const key = checkpoint.exec(rest)?.[1];
  if (key !== undefined) {
    if (life.standing === 'done') return 'a checkpoint of a run that is done';
    return isStored(key) ? 'a checkpoint of a dimension that is trained' : null;
  }
  const epoch = /^(?:attempts|quarantine)\/(\d+)\//.exec(rest)?.[1];
  return epoch !== undefined && Number(epoch) < life.epoch ? 'an attempt of an earlier epoch' : null;
}
