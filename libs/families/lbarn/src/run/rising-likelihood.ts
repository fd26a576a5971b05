import { dimensionOfTask, memberOfTask, type MemberNetwork } from '@orchard/contracts';
import { greatestOf } from '@orchard/numerics';
import { foldSizes, sumOfTasks, type RisingLikelihood, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { folders } from '../artefacts/artefacts.js';
import { askedRun } from './lbarn-run.js';
import { foldOf, runOfTask } from '../members/member-run.js';
import { readCurves } from '../selection/select-rounds.js';
import { settledRun } from '../tuning/settled-run.js';

/** Dimensions that are missing: a fair coin each, which is where training begins. */
const coins =
  'Each conditional counts at its best round, before rounds are selected; one that is missing counts as a fair coin.';

/**
 * The likelihood of a run's conditionals as they come in. Each network of a mixture is validated by a fold of its own,
 * so that of a mixture it is the mean of its networks, each a row of its fold: what they are worth together is known
 * when all are there.
 *
 * @param tasks conditionals in all: dimensions, times networks
 */
export function risingLikelihood(run: Run, tasks: number): RisingLikelihood {
  const { train, valid } = run.datasets;
  const { members } = askedRun(run).specification;
  if (members === undefined) {
    return sumOfTasks({
      called: folders.train,
      of: `Of the ${String(valid.rows)} validation rows. ${coins}`,
      before: -Math.LN2 * tasks,
      adds: (key, nats) => (memberOfTask({ key }) === null ? nats / valid.rows + Math.LN2 : null),
    });
  }
  const networks = Math.max(1, Math.round(tasks / train.dimensions));
  const indexOf = ({ member, network }: MemberNetwork): number =>
    network === null ? member : member * members.folds + network;
  return sumOfTasks({
    called: folders.train,
    of:
      `The mean of ${String(networks)} networks, each on the fold of the ${String(train.rows + valid.rows)} training and validation rows ` +
      `that it does not learn from: what they are worth together is in the summary. ${coins}`,
    before: (-Math.LN2 * tasks) / networks,
    adds: (key, nats) => {
      const of = memberOfTask({ key });
      // networks that an earlier request wanted and this one does not
      if (of === null || indexOf(of) >= networks) return null;
      const rows = foldSizes(train.rows + valid.rows, { fold: foldOf(members, of), folds: members.folds }).valid;
      return (nats / rows + Math.LN2) / networks;
    },
  });
}

/**
 * The log-likelihood of stored conditionals on the rows that validate them: summed nats at their best rounds, by key.
 */
export async function readNats(
  store: ObjectStore,
  run: Run,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const nats = new Map<string, number>();
  if (keys.length === 0) return nats;
  const own = await settledRun(store, run);
  for (const [first, ...others] of byNetwork(keys)) {
    const view = await runOfTask(store, own, { run: run.id, kind: 'train', key: first! });
    const ofNetwork = [first!, ...others];
    const curves = await readCurves(
      store,
      view,
      ofNetwork.map((key) => dimensionOfTask({ key })!),
    );
    curves.forEach(({ valid }, at) => nats.set(ofNetwork[at]!, greatestOf(valid!)));
  }
  return nats;
}

function byNetwork(keys: readonly string[]): Iterable<readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const of = memberOfTask({ key });
    const name = of === null ? '' : `${String(of.member)}.${String(of.network)}`;
    groups.set(name, [...(groups.get(name) ?? []), key]);
  }
  return groups.values();
}
