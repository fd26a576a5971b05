import type { Before, OpenTask, Run } from '@orchard/pipeline';
import { mixedNames, type MixedStep, type StepDocument } from './mixed-documents.js';
import { mixtureOptions } from './sparn-run.js';

/**
 * What mixtures miss: of each K the shares of step 0; then the columns of a step; when all are there, the shares after it, which say whether there is
 * another one.
 *
 * @param stored names of all that is stored of the run
 */
export async function missingOfMixture(
  stored: ReadonlySet<string>,
  run: Run,
  isComplete: boolean,
  read: (of: MixedStep) => Promise<StepDocument>,
): Promise<Before> {
  const { dimensions } = run.datasets.train;
  const options = mixtureOptions(run);
  const counts = options.components.filter((components) => components > 1);
  if (counts.length === 0) return { tasks: [], stages: { share: null, part: null } };
  const tasks: Required<Omit<OpenTask, 'isNew'>>[] = [];
  const share = { total: 0, done: 0 };
  const part = { total: 0, done: 0 };
  for (const components of counts) {
    let step = 0;
    while (stored.has(mixedNames.shares(run.id, { components, step }))) step++;
    share.done += step;
    part.done += Math.max(0, step - 1) * dimensions;
    const isOver = isComplete || (step > 0 && (await read({ components, step: step - 1 })).next.length === 0);
    // how many steps there will be only the last one tells
    const steps = isOver ? step - 1 : options.steps;
    share.total += steps + 1;
    part.total += steps * dimensions;
    if (isOver) continue;
    const of = { components, step };
    const open = Array.from({ length: step === 0 ? 0 : dimensions }, (_, at) => dimensions - 1 - at).filter(
      (column) => !stored.has(mixedNames.part(run.id, of, column)),
    );
    if (step > 0) part.done += dimensions - open.length;
    for (const column of open)
      tasks.push({ kind: 'part', key: mixedNames.partKey(of, column), cost: components * (column + 1) });
    if (open.length === 0) tasks.push({ kind: 'share', key: mixedNames.stepKey(of), cost: components });
  }
  return { tasks: tasks.sort((a, b) => b.cost - a.cost), stages: { share, part } };
}
