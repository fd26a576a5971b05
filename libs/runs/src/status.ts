import type { NetworkChoice } from '@orchard/contracts';
import { artefactNames, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { Agenda } from './agenda.js';
import type { Troubles } from './attempts.js';
import type { Life } from './life.js';
import type { OpenRun } from './open-run.js';
import {
  workStages,
  type QuarantinedWork,
  type RunOverview,
  type RunState,
  type RunStatus,
  type StageCounts,
  type WorkStage,
} from './run-status.js';
import { selectedFiguresOf } from './selected-figures.js';
import { dimensionOf } from './work.js';

/** What the store says of a run; of an open one the reconciler may know a little more. */
export interface Inspection {
  readonly life: Life;
  readonly run: Run | null;
  readonly agenda: Agenda | null;
  readonly troubles: Troubles;
  readonly open: OpenRun | null;
}

export function overviewOf(id: string, life: Life, agenda: Agenda | null): RunOverview {
  const { submittedAt, choice, reason } = life;
  return { id, state: stateOf(life, agenda), submittedAt, choice, reason };
}

function stateOf({ standing }: Life, agenda: Agenda | null): RunState {
  if (standing === 'open')
    return agenda === null || agenda.state === 'done'
      ? agenda?.state === 'done'
        ? 'assembling'
        : 'training'
      : agenda.state;
  return standing === 'deleted' ? 'deleting' : standing;
}

export async function statusOf(store: ObjectStore, id: string, inspection: Inspection): Promise<RunStatus> {
  const { life, run, agenda, troubles, open } = inspection;
  const isTraining = agenda?.state === 'training';
  const left = open === null ? [] : [...open.missing.values()].map(dimensionOf).filter((dim) => dim !== null);
  const stage = agenda?.jobs[0]?.stage ?? 'train';
  const quarantined = quarantinedOf(troubles);
  return {
    ...overviewOf(id, life, agenda),
    specification: life.specification,
    choices: life.choices,
    networks: agenda?.networks ?? (await storedNetworks(store, id, life)),
    stages: Object.fromEntries(
      workStages.map((name) => [name, countsOf(name, agenda, open, quarantined)]),
    ) as RunStatus['stages'],
    treesPerSecond: open?.figures.treesPerSecond() ?? 0,
    secondsLeft: open?.figures.secondsLeft(stage, left) ?? null,
    logLikelihood: isTraining && open !== null ? open.figures.logLikelihood() : null,
    selections: run === null || isTraining ? null : await selectedFiguresOf(store, run),
    quarantined,
    notices: life.standing === 'open' ? (open?.notices ?? []) : [],
  };
}

/** Of a run that cannot be opened any more. */
async function storedNetworks(store: ObjectStore, id: string, { choices }: Life): Promise<NetworkChoice[]> {
  const found = await Promise.all(choices.map((choice) => store.head(artefactNames.summary(id, choice))));
  return choices.filter((_, index) => found[index] !== null);
}

export function countsOf(
  stage: WorkStage,
  agenda: Agenda | null,
  open: OpenRun | null,
  quarantinedWork: readonly QuarantinedWork[],
): StageCounts | null {
  const counted = agenda?.stages[stage] ?? null;
  if (counted === null) return null;
  const done = Math.min(counted.total, counted.done + (open?.doneSinceLook(stage) ?? 0));
  const quarantined = quarantinedWork.filter((work) => work.stage === stage).length;
  const own = [...(open?.active ?? [])].filter((id) => id.startsWith(`${stage}-`)).length;
  const active = Math.max(0, Math.min(own, counted.total - done - quarantined));
  return {
    total: counted.total,
    waiting: Math.max(0, counted.total - done - quarantined - active),
    active,
    done,
    quarantined,
  };
}

/** In the order of stages, then of dimensions. */
export function quarantinedOf({ quarantined }: Troubles): QuarantinedWork[] {
  const list = [...quarantined].map(([work, { attempts, code, reason, stack }]): QuarantinedWork => {
    const [folder = '', name = ''] = work.split('/');
    const stage = workStages.find((one) => folder === one || folder.startsWith(`${one}-`))!;
    const dimension = stage === 'train' || stage === 'refit' ? Number(name) : null;
    return { stage, dimension, attempts, code, reason, stack };
  });
  const place = ({ stage, dimension }: QuarantinedWork): number => workStages.indexOf(stage) * 1e9 + (dimension ?? 0);
  return list.sort((a, b) => place(a) - place(b));
}
