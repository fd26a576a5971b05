import type { NetworkChoice } from '@orchard/contracts';
import { choiceName } from '@orchard/pipeline';
import type { RunStatus } from '@orchard/runs';
import { CoordinatorError } from '../errors.js';

/**
 * The network that a request means: what it leaves open is as last submitted.
 *
 * @throws CoordinatorError `not-ready` where the run has not made it
 */
export function chosenNetwork(
  { id, state, choice, choices, networks }: RunStatus,
  wanted: { selection?: NetworkChoice['selection'] | undefined; refit?: boolean | undefined },
): NetworkChoice {
  const chosen = { selection: wanted.selection ?? choice.selection, refit: wanted.refit ?? choice.refit };
  const isChosen = ({ selection, refit }: NetworkChoice): boolean =>
    selection === chosen.selection && refit === chosen.refit;
  if (networks.some(isChosen)) return chosen;
  const asked = choices.some(isChosen);
  throw new CoordinatorError('not-ready', {
    got: `run ${id} (${state}) without ${choiceName(chosen)}`,
    expected: 'a run that has made this network',
    remedy: asked ? 'Wait until the run is done.' : 'POST to /v1/runs/:id/select asks for it, without training anew.',
  });
}
