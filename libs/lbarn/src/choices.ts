import {
  memberCountSchema,
  parseContract,
  selectionMethods,
  selectionMethodSchema,
  type BaseSpecification,
  type NetworkChoice,
  type Wanted,
} from '@orchard/contracts';
import { PipelineError } from '@orchard/pipeline';
import { z } from 'zod';
import { choiceName } from './artefacts.js';

export const choiceSchema = z.strictObject({
  selection: selectionMethodSchema,
  refit: z.boolean().meta({ description: 'true or false' }),
  members: memberCountSchema.optional(),
});

/** @throws Refusal `invalid-contract` for what is wanted of another family */
export function choiceFrom(wanted: Wanted): NetworkChoice {
  return parseContract(choiceSchema, wanted, 'network choice') as NetworkChoice;
}

/** @throws PipelineError `bad-request` where members are wanted of a run of one network, or no number of a run with members */
export function checkChoice(specification: BaseSpecification, wanted: Wanted): void {
  const hasMembers = specification['members'] !== undefined;
  const { members } = choiceFrom(wanted);
  if (hasMembers === (members !== undefined)) return;
  throw new PipelineError('bad-request', {
    got: hasMembers ? 'no number of members' : `${members} members`,
    expected: hasMembers ? 'how many members to mix' : 'one network, as the run was asked for',
    where: 'members',
    remedy: hasMembers ? 'Say how many members.' : 'Submit a run with members.',
  });
}

const byName = new Map(
  selectionMethods.flatMap((selection) =>
    [true, false].map((refit): [string, NetworkChoice] => [choiceName({ selection, refit }), { selection, refit }]),
  ),
);

/** The choice of that name, {@link choiceName} backwards. */
export function choiceOf(name: string): NetworkChoice {
  const [, one, members] = /^(.*?)(?:-m([1-9]\d*))?$/.exec(name)!;
  const choice = byName.get(one!);
  if (choice === undefined) throw new Error(`no network is called ${name}`);
  return members === undefined ? choice : { ...choice, members: Number(members) };
}
