import {
  familyOf,
  parseContract,
  sheetRequestShape,
  splitsRequestShape,
  type RunStatus,
  type Wanted,
} from '@orchard/contracts';
import { families } from '@orchard/registry';
import type { Family } from '@orchard/pipeline';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';

/** Of a request that names none: what rows are of is not known where it is read. */
const usual = familyOf({});

const modelSchema = z.string().meta({
  description: `the kind of model: ${families.all.map((family) => (families.isExperimental(family) ? `${family.name} (experimental)` : family.name)).join(', ')}; ${usual} unless given`,
});

/** A submission by its family: the splits, and the family's own words. */
const submissions = new Map(
  families.all.map((family) => [
    family.name,
    z.strictObject({
      model: modelSchema.optional(),
      ...splitsRequestShape,
      ...sheetRequestShape,
      ...family.words.shape,
    }),
  ]),
);

/** The body of a submission, of any family. */
export const submissionSchema = z.union([...submissions.values()]);

/** What can be asked of a run that is there, of any family. */
export const choiceSchema = z.union([...new Set(families.all.map(({ wanted }) => wanted))]);

/** What a submission says for people. */
export type SheetWords = z.infer<z.ZodObject<typeof sheetRequestShape>>;

export interface Submission {
  readonly family: Family;
  readonly splits: { readonly train: string; readonly valid: string; readonly test: string | null };
  readonly words: Readonly<Record<string, unknown>>;
  readonly said: SheetWords;
}

/** @throws Refusal `invalid-contract` about the first thing that is wrong with it; PipelineError `unknown-family` */
export function parseSubmission(body: unknown): Submission {
  const named = (body ?? {}) as { readonly model?: unknown };
  const family = families.named(typeof named.model === 'string' ? named.model : usual);
  const parsed = parseContract(submissions.get(family.name)!, body, 'run request');
  const { model, train, valid, test, name, labels, priority, notify, ...words } = parsed;
  void model;
  return { family, splits: { train, valid, test: test ?? null }, words, said: { name, labels, priority, notify } };
}

/** The query parameters that say which of a run's models is meant: what each family's runs may be asked for. */
export const wantedQueryShape = Object.assign(
  {},
  ...families.all.map(({ wanted }) =>
    Object.fromEntries(
      Object.entries(wanted.shape).map(([name, schema]) => {
        const { description = name } = (schema as z.ZodType).meta() ?? {};
        const field = (schema as z.ZodType).optional();
        return [name, field.meta({ description: `${description}; as last submitted unless given` })];
      }),
    ),
  ),
) as Readonly<Record<string, z.ZodOptional<z.ZodType<Wanted[string]>>>>;

export interface ChosenModel {
  readonly choice: Wanted;
  /** Its name in artefacts and files. */
  readonly name: string;
}

/**
 * The model that a request means: what it leaves open is as last submitted.
 *
 * @throws CoordinatorError `not-ready` where the run has not made it, `not-found` where it makes none
 */
export function chosenModel(status: RunStatus, asked: Readonly<Record<string, unknown>>): ChosenModel {
  const family = families.of(status);
  if (!families.all.includes(family))
    throw new CoordinatorError('not-found', {
      got: `run ${status.id}, a ${family.name}, which ends in no model`,
      expected: 'a run that ends in a model',
      remedy: 'Use the command again that asked for it: orchard sample or orchard evaluate with --server.',
    });
  const given = Object.keys(family.wanted.shape).filter((name) => asked[name] !== undefined);
  const overrides = Object.fromEntries(given.map((name) => [name, asked[name]])) as Wanted;
  const choice: Wanted = { ...status.choice, ...overrides };
  const name = family.wantedName(choice);
  const isIt = (other: Wanted): boolean => family.wantedName(other) === name;
  if (status.networks.some(isIt)) return { choice, name };
  const wasAsked = status.choices.some(isIt);
  throw new CoordinatorError('not-ready', {
    got: `run ${status.id} (${status.state}) without ${name}`,
    expected: 'a run that has made this model',
    remedy: wasAsked ? wayToModel(status) : 'POST to /v1/runs/:id/select asks for it, without training anew.',
  });
}

/** How a run that lacks what was asked of it comes to have it. */
export function wayToModel({ id, state }: Pick<RunStatus, 'id' | 'state'>): string {
  if (state === 'done') return `orchard repair ${id.slice(0, 12)} (POST /v1/runs/:id/repair) makes anew what is lost.`;
  if (state !== 'cancelled' && state !== 'failed') return 'Wait until the run is done.';
  return `orchard resume ${id.slice(0, 12)} (POST /v1/runs/:id/resume) continues it.`;
}
