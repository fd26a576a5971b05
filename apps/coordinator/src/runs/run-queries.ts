import { endStates, sha256Schema } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { z } from 'zod';
import { wantedQueryShape } from './wanted.js';

const runStates: readonly string[] = [...families.states, ...endStates, 'deleting'];

export const runPathSchema = z.strictObject({ id: sha256Schema });

export const runListQuerySchema = z.strictObject({
  state: z
    .enum(runStates)
    .optional()
    .meta({ description: `${runStates.join(', ')}: only runs in this state` }),
  dataset: sha256Schema.optional().meta({ description: 'only runs that need this data set' }),
  person: z.string().max(200).optional().meta({ description: '`submittedBy`: only runs of this person' }),
  name: z.string().max(200).optional().meta({ description: 'only runs whose name has this in it, in any case' }),
  label: z.string().max(264).optional().meta({ description: 'key=value, or a key alone: only runs with this label' }),
  cost: z.boolean().default(false).meta({
    description: 'with what each run has cost: reads the record of each, and what is stored, once in a minute',
  }),
  order: z
    .enum(['id', 'newest'])
    .default('id')
    .meta({ description: 'newest: by the time of submission, the latest first; reads the marks of all runs' }),
  after: sha256Schema
    .optional()
    .meta({ description: 'the id of a run, `next` of the page before: only those after it' }),
  limit: z.int().min(1).max(1000).default(100).meta({ description: 'runs a page, 1 to 1000' }),
});

/** What is asked of a finished run. */
export const artefactQuerySchema = z.strictObject({
  ...wantedQueryShape,
  ticket: z.string().optional().meta({ description: 'what GET /v1/runs/{id}/links/{file} gave, in place of a token' }),
  redirect: z.enum(['0', '1']).optional().meta({
    description:
      '1: a redirect to a URL of the object store that expires, where it has such URLs; a report of a run that has a name is sent itself, with that name',
  }),
});

export type RunPath = z.infer<typeof runPathSchema>;
export type ArtefactQuery = z.infer<typeof artefactQuerySchema>;
