import type { BaseSpecification } from '@orchard/contracts';
import { ModelError } from '@orchard/model';
import {
  builtModule,
  ofSameNumerics,
  PipelineError,
  type Family,
  type Plan,
  type PlannedTask,
  type Run,
} from '@orchard/pipeline';
import { z } from 'zod';
import { computations } from './answer-computations.js';
import type { ModelOfRun } from './model-of-run.js';

/** A run that asks a model which another run has made, and ends in rows or figures instead of a model. */
export interface AnswerFamily extends Pick<Family, 'name' | 'description' | 'kinds' | 'specification' | 'handlers'> {
  /** What is missing, and what is stored by kind. */
  readonly plan: (
    store: Parameters<Family['missing']>[0],
    run: Run,
  ) => Promise<{
    readonly open: readonly { readonly kind: string; readonly key: string }[];
    readonly stages: Plan['stages'];
  }>;
  readonly damaged: Family['damaged'];
}

export function familyOfAnswers({ plan, handlers, ...said }: AnswerFamily): Family {
  const { name } = said;
  return {
    ...said,
    learns: [],
    words: z.strictObject({}),
    wanted: z.strictObject({}),
    wantedName: () => 'answer',
    askedRun: ({ model }: BaseSpecification & { readonly model?: ModelOfRun }) => model!.run,
    computations: { module: builtModule('answer-computations', import.meta.url), functions: computations },
    handlers: ofSameNumerics(handlers),
    resolve: () => {
      throw notSubmitted(name);
    },
    missing: async (store, run) => {
      const { open, stages } = await plan(store, run);
      return { tasks: open.map((task) => planned(run, task)), stages, complete: [] };
    },
    report: () => Promise.reject(notSubmitted(name)),
    codec: {
      family: name,
      read: () => {
        throw new ModelError('not-a-network-file', {
          got: `a file of the family ${name}`,
          expected: 'a model',
          where: 'family',
          remedy: 'Runs of this family end in rows.',
        });
      },
    },
  };
}

function planned({ id }: Run<BaseSpecification>, task: { readonly kind: string; readonly key: string }): PlannedTask {
  return { task: { run: id, ...task }, cost: 1, detail: {}, isNew: false };
}

function notSubmitted(name: string): PipelineError {
  return new PipelineError('bad-request', {
    got: `the family ${name}, which is not trained`,
    expected: 'a question to a model that a run has made',
    remedy: 'Use orchard sample or orchard evaluate with --server.',
  });
}
