import { MAXIMUM_MEMBERS } from '@orchard/contracts/limits';
import { sortedJson, ModelError, type Variables } from '@orchard/model';
import type { MixtureParts } from './mixture.js';

/** How far from 1 the weights may sum by the rounding of their making. */
const ROUNDING = 1e-12;

/** @throws ModelError `invalid-network` where members are of other columns, or weights do not make a distribution */
export function checkMixture({ members, weights }: Pick<MixtureParts, 'members' | 'weights'>): void {
  const refuse = (where: string, got: string, expected: string): never => {
    const remedy = 'Mix models of the same columns, with a positive weight each, 1 in all.';
    throw new ModelError('invalid-network', { got, expected, where, remedy });
  };
  const [first] = members;
  if (first === undefined || members.length > MAXIMUM_MEMBERS)
    return refuse('members', `${members.length} members`, `1 to ${MAXIMUM_MEMBERS}`);
  members.forEach((member, m) => {
    if (member.dimensions !== first.dimensions)
      refuse(`members[${m}]`, `${member.dimensions} dimensions`, `${first.dimensions}, as in the first`);
    if (!isSame(member.table, first.table)) refuse(`members[${m}]`, 'another table, or none', 'that of the first');
    if (!isOfSameColumns(member, first)) refuse(`members[${m}]`, 'other names or another shape', 'those of the first');
  });
  if (weights.length !== members.length)
    refuse('weights', `${weights.length} weights`, `${members.length}, one a member`);
  const odd = weights.findIndex((weight) => !(weight > 0 && weight <= 1));
  if (odd >= 0) refuse(`weights[${odd}]`, String(weights[odd]), 'a number above 0, at most 1');
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) > ROUNDING) refuse('weights', `${sum} in all`, '1');
}

/** Whether models are about the same columns, of bits or of a table. */
export function isOfSameColumns(one: Variables, other: Variables): boolean {
  return (['dimensions', 'names', 'shape', 'table'] as const).every((what) => isSame(one[what], other[what]));
}

/** Whatever the order of their keys. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sortedJson(one ?? null)) === JSON.stringify(sortedJson(other ?? null));
}
