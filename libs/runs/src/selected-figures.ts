import type { SelectionDocument, SelectionMethod } from '@orchard/contracts';
import { readSelections, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';

/** What a selection chose, without what grows with the dimensions. Summed nats. */
export type SelectedFigures = Omit<SelectionDocument, 'method' | 'rounds' | 'path'>;

/** Selections never change while a run lives, and whoever watches it asks every second. */
const known = new WeakMap<Run, Readonly<Record<SelectionMethod, SelectedFigures>>>();

/** Of all methods; null where the run is not selected. */
export async function selectedFiguresOf(
  store: ObjectStore,
  run: Run,
): Promise<Readonly<Record<SelectionMethod, SelectedFigures>> | null> {
  const kept = known.get(run);
  if (kept !== undefined) return kept;
  const selections = await readSelections(store, run);
  if (selections === null) return null;
  const figures = Object.fromEntries(
    Object.values(selections).map(({ method, trees, commonRounds, ...sums }) => {
      const { trainLogLikelihood, validLogLikelihood, testLogLikelihood } = sums;
      return [method, { trees, trainLogLikelihood, validLogLikelihood, testLogLikelihood, commonRounds }];
    }),
  ) as Record<SelectionMethod, SelectedFigures>;
  known.set(run, figures);
  return figures;
}
