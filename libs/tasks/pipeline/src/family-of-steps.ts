import { attachSplits, type CountedSplits, type SharedSplits } from '@orchard/dataset';
import { openModel, type DensityModel, type ModelCodec } from '@orchard/model';
import type { Computation, Computations, DataRequest } from './compute.js';
import { damagedBelow } from './damaged-artefacts.js';
import { reportOfEnding, type End } from './ending.js';
import { familyOfOneModel, type OneModel } from './family-of-one-model.js';
import type { Family } from './family.js';
import { makeArtefact } from './make-artefact.js';
import { natsOfMeans } from './nats-of-each.js';
import { bestOfTasks } from './rising-likelihood.js';
import type { Run } from './run.js';
import type { Place, Steps, StoredStep } from './steps.js';

/** What there is to say of a family whose runs go through steps, one task each, and end in one model made of them. */
export interface OfSteps<Facts, Model extends DensityModel> extends Pick<
  OneModel,
  'name' | 'description' | 'learns' | 'answers' | 'words' | 'specification' | 'specify' | 'codec' | 'otherCodecs'
> {
  readonly steps: Steps<Facts, Model>;
  /** The kind of task of a step, after which its computation is called, and what a run is in meanwhile. */
  readonly step: {
    readonly kind: string;
    readonly state: string;
    /** For messages: `step 2 of EM`. */
    readonly what: (place: Place) => string;
  };
  /** The kind of the last task. */
  readonly last: { readonly kind: string; readonly state: string };
  /** Of built code, which exports `computations`. */
  readonly module: URL;
  readonly computations: Computations['functions'];
  readonly end: End;
  /** What threads compute steps on. */
  readonly data: (run: Run) => DataRequest;
  /** Of the steps of a chain, relative to those of others; costly chains are begun first. @default 1 */
  readonly costOf?: (run: Run, chain: number) => number;
  /** What the likelihood is of that rises from step to step: whole sentences. @default steps say none */
  readonly likeliest?: (run: Run) => string;
}

export function familyOfSteps<Facts, Model extends DensityModel>(given: OfSteps<Facts, Model>): Family {
  const { steps, step, last, module, computations, end, data, costOf = () => 1, likeliest, ...said } = given;
  const { folder, codecs } = steps;
  const nats = natsOfMeans(
    ({ id }, key) => steps.nameOf(id, steps.placeIn(key)),
    (bytes) => validOf(bytes, codecs),
  );
  const told = likeliest && {
    rising: (run: Run) => bestOfTasks({ called: folder, rows: run.datasets.valid.rows, of: likeliest(run) }),
  };
  return familyOfOneModel({
    ...said,
    kinds: [
      { kind: step.kind, pool: 'worker', state: step.state, folder, counted: folder, ...told },
      { ...last, pool: 'selector', folder: 'networks', counted: null },
    ],
    computations: { module, functions: computations },
    report: reportOfEnding(end),
    handlers: {
      [step.kind]: (context, run, { key }) => {
        const place = steps.placeIn(key);
        const name = steps.nameOf(run.id, place);
        return makeArtefact(context, {
          name,
          data: data(run),
          computation: step.kind,
          input: { run, key },
          what: step.what(place),
          write: (bytes) => context.store.put(name, bytes),
          ...(likeliest && { natsOf: (bytes: Uint8Array) => nats.natsIn(bytes, run) }),
        });
      },
    },
    before: async (soFar) => {
      const { open, ...stage } = await steps.progress(soFar);
      const tasks = open.map((place) => ({
        kind: step.kind,
        key: steps.keyOf(place),
        cost: costOf(soFar.run, place.chain),
      }));
      return { tasks: tasks.sort((a, b) => b.cost - a.cost), stages: { [step.kind]: stage } };
    },
    ...(likeliest && { readNats: nats.readNats }),
    damaged: (store, run) => damagedBelow(store, steps.prefix(run.id), (bytes) => steps.from(bytes)),
  });
}

function validOf(bytes: Uint8Array, codecs: readonly ModelCodec[]): number {
  const { valid } = openModel(bytes, codecs).likelihoods;
  if (valid === null) throw new Error('a step without the likelihood of the validation rows');
  return valid;
}

/**
 * Computes a step on {@link countedRows}, to the bytes of its file; null where the task was cancelled.
 *
 * @param next the model of a step, a function of the run and of the step before it alone; null where it was cancelled
 * @param attach makes rows of what the family's data are loaded to. @default counted rows
 */
export function computationOfStep<Facts, Model extends DensityModel, Rows = CountedSplits>(
  steps: Steps<Facts, Model>,
  next: (
    run: Run,
    rows: Rows,
    place: Place,
    before: StoredStep<Facts, Model> | null,
    isCancelled: () => boolean,
  ) => Model | null,
  attach = (handle: unknown): Rows => attachSplits(handle as SharedSplits) as Rows,
): Computation {
  return async ({ run, key }: { run: Run; key: string }, { store, data, isCancelled }) => {
    const rows = data(attach);
    const place = steps.placeIn(key);
    const before = place.step === 0 ? null : await steps.read(store, run, { ...place, step: place.step - 1 });
    return next(run, rows, place, before, isCancelled)?.toBytes() ?? null;
  };
}
