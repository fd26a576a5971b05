import { familyOf, type Notice } from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import type { Families } from '@orchard/pipeline';
import type { Life } from './lifecycle.js';

/** Whether a run is of a release that this program knows nothing of: it is left to one that does. */
export function isForOthers(families: Families, { specification }: Life): boolean {
  return specification.numericsVersion !== NUMERICS_VERSION || !families.has(familyOf(specification));
}

export function noticeOfOthers({ specification, submittedAt }: Life): Notice {
  const message =
    `The run is of model ${familyOf(specification)}, numerics version ${specification.numericsVersion}, which this coordinator ` +
    'does not compute: it is left to a release that does. To compute it here, submit it anew.';
  return { code: 'other-release', message, since: submittedAt };
}
