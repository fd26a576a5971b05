import { artefactNames } from '@orchard/pipeline';
import type { ObjectEntry } from '@orchard/storage';
import type { Life } from './life.js';

/** An object that nobody needs any more. */
export interface Leftover extends ObjectEntry {
  readonly why: string;
}

/**
 * What of a run's objects nobody needs: all of a run that was deleted, or that has neither marks nor a specification, so
 * that nothing could ever read it; else the checkpoints of dimensions whose conditional is stored (of all, once the run is
 * done) and the attempts of earlier epochs. A run that has a specification and no marks is that of somebody who trained
 * on one machine: it is left alone. So is one that is being deleted: its reconciler removes it.
 *
 * @param entries all objects below `runs/<run>/`
 * @param life null for a run that was never submitted
 */
export function leftoversOf(run: string, entries: readonly ObjectEntry[], life: Life | null): readonly Leftover[] {
  const all = (why: string): Leftover[] => entries.map((entry) => ({ ...entry, why }));
  if (life === null) {
    const isCreated = entries.some(({ name }) => name === artefactNames.specification(run));
    return isCreated ? [] : all('its run was never created');
  }
  if (life.standing === 'deleted') return all('its run was deleted');
  if (life.standing === 'deleting') return [];
  const names = new Set(entries.map(({ name }) => name));
  const isTrained = (dimension: number): boolean => names.has(artefactNames.conditional(run, dimension));
  const folder = artefactNames.run(run).length;
  return entries.flatMap((entry) => {
    const why = reasonOf(entry.name.slice(folder), life, isTrained);
    return why === null ? [] : [{ ...entry, why }];
  });
}

function reasonOf(rest: string, life: Life, isTrained: (dimension: number) => boolean): string | null {
  const dimension = /^checkpoints\/(\d+)\//.exec(rest)?.[1];
  if (dimension !== undefined) {
    if (life.standing === 'done') return 'a checkpoint of a run that is done';
    return isTrained(Number(dimension)) ? 'a checkpoint of a dimension that is trained' : null;
  }
  const epoch = /^(?:attempts|quarantine)\/(\d+)\//.exec(rest)?.[1];
  return epoch !== undefined && Number(epoch) < life.epoch ? 'an attempt of an earlier epoch' : null;
}
