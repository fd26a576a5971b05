import {
  parseContract,
  selectionMethods,
  selectionMethodSchema,
  type NetworkChoice,
  type Wanted,
} from '@orchard/contracts';
import { z } from 'zod';
import { choiceName } from './artefacts.js';

export const choiceSchema = z.strictObject({
  selection: selectionMethodSchema,
  refit: z.boolean().meta({ description: 'true or false' }),
});

/** @throws Refusal `invalid-contract` for what is wanted of another family */
export function choiceFrom(wanted: Wanted): NetworkChoice {
  return parseContract(choiceSchema, wanted, 'network choice');
}

const byName = new Map(
  selectionMethods.flatMap((selection) =>
    [true, false].map((refit): [string, NetworkChoice] => [choiceName({ selection, refit }), { selection, refit }]),
  ),
);

/** The choice of that name, {@link choiceName} backwards. */
export function choiceOf(name: string): NetworkChoice {
  const choice = byName.get(name);
  if (choice === undefined) throw new Error(`no network is called ${name}`);
  return choice;
}
