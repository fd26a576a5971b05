import {
  memberCountSchema,
  parseContract,
  refitSchema,
  selectionMethods,
  selectionMethodSchema,
  type BaseSpecification,
  type NetworkChoice,
  type Refit,
  type Wanted,
} from '@orchard/contracts';
import { PipelineError } from '@orchard/pipeline';
import { z } from 'zod';
import { choiceName } from '../artefacts/artefacts.js';

export const choiceSchema = z.strictObject({
  selection: selectionMethodSchema,
  refit: refitSchema,
  members: memberCountSchema.optional(),
});

/** @throws Refusal `invalid-contract` for what is wanted of another family */
export function choiceFrom(wanted: Wanted): NetworkChoice {
  return parseContract(choiceSchema, wanted, 'network choice') as NetworkChoice;
}

/**
 * @throws PipelineError `bad-request` where members are wanted of a run of one network, or no number of a run with
 * members, and where single trees are to be trained again
 */
export function checkChoice(specification: BaseSpecification, wanted: Wanted): void {
  const hasMembers = specification['members'] !== undefined;
  const { members, refit } = choiceFrom(wanted);
  checkRefit(specification, refit);
  if (hasMembers === (members !== undefined)) return;
  throw new PipelineError('bad-request', {
    got: hasMembers ? 'no number of members' : `${members} members`,
    expected: hasMembers ? 'how many members to mix' : 'one network, as the run was asked for',
    where: 'members',
    remedy: hasMembers ? 'Say how many members.' : 'Submit a run with members.',
  });
}

/**
 * The splits of a single tree are not rounds that could be counted off: validation rows weigh leaves against each other
 * until the last.
 *
 * @throws PipelineError `bad-request` where single trees are to be trained again
 */
export function checkRefit(specification: Readonly<Record<string, unknown>>, refit: Refit): void {
  if (refit !== 'again' || specification['pseudoCount'] === undefined) return;
  throw new PipelineError('bad-request', {
    got: 'a single tree a column, to be trained again',
    expected: 'boosted trees, whose rounds validation rows choose',
    where: 'refit again',
    remedy: 'Refit it (--refit), or leave its leaf values as they are (--no-refit).',
  });
}

const byName = new Map(
  selectionMethods.flatMap((selection) =>
    [true, false, 'again' as const].map((refit): [string, NetworkChoice] => [
      choiceName({ selection, refit }),
      { selection, refit },
    ]),
  ),
);

/** The choice of that name, {@link choiceName} backwards. */
export function choiceOf(name: string): NetworkChoice {
  const [, one, members] = /^(.*?)(?:-m([1-9]\d*))?$/.exec(name)!;
  const choice = byName.get(one!);
  if (choice === undefined) throw new Error(`no network is called ${name}`);
  return members === undefined ? choice : { ...choice, members: Number(members) };
}
