import type { Before, OpenTask, Run } from '@orchard/pipeline';
import { intervalsOf } from './intervals.js';
import { mixedNames, type MixedStep, type StepDocument } from './mixed-documents.js';
import { mixtureOptions, sparnSpecification } from './sparn-specification.js';

/**
 * What mixtures miss, each interval by itself: of each K the shares of step 0; then the columns of a step; when all are
 * there, the shares after it, which say whether there is another one.
 *
 * @param stored names of all that is stored of the run
 */
export async function missingOfMixture(
  stored: ReadonlySet<string>,
  run: Run,
  isComplete: boolean,
  read: (of: MixedStep) => Promise<StepDocument>,
): Promise<Before> {
  const options = mixtureOptions(run);
  const counts = options.components.filter((components) => components > 1);
  if (counts.length === 0) return { tasks: [], stages: { share: null, part: null } };
  const tasks: Required<Omit<OpenTask, 'isNew'>>[] = [];
  const share = { total: 0, done: 0 };
  const part = { total: 0, done: 0 };
  const { intervals } = sparnSpecification(run);
  const mixtures = intervalsOf(run).flatMap((bounds, at) =>
    counts.map((components) => ({ bounds, own: { ...(intervals !== undefined && { interval: at }), components } })),
  );
  for (const { bounds, own } of mixtures) {
    const { components } = own;
    const columns = Array.from({ length: bounds.end - bounds.first }, (_, at) => bounds.end - 1 - at);
    let step = 0;
    while (stored.has(mixedNames.shares(run.id, { ...own, step }))) step++;
    share.done += step;
    const openOf = (of: MixedStep): readonly number[] =>
      columns.filter((column) => !stored.has(mixedNames.part(run.id, of, column)));
    const addParts = (of: MixedStep, open: readonly number[]): void => {
      part.done += columns.length - open.length;
      for (const column of open)
        tasks.push({ kind: 'part', key: mixedNames.partKey(of, column), cost: components * (column + 1) });
    };
    // a column of a step that has ended may have been damaged and taken away
    for (let ended = 1; ended < step; ended++)
      addParts({ ...own, step: ended }, isComplete ? [] : openOf({ ...own, step: ended }));
    const isOver = isComplete || (step > 0 && (await read({ ...own, step: step - 1 })).next.length === 0);
    // how many steps there will be only the last one shows
    const steps = isOver ? step - 1 : options.steps;
    share.total += steps + 1;
    part.total += steps * columns.length;
    if (isOver) continue;
    const of = { ...own, step };
    const open = step === 0 ? [] : openOf(of);
    if (step > 0) addParts(of, open);
    if (open.length === 0) tasks.push({ kind: 'share', key: mixedNames.stepKey(of), cost: components });
  }
  return { tasks: tasks.sort((a, b) => b.cost - a.cost), stages: { share, part } };
}
