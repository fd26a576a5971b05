import { MAXIMUM_MEMBERS } from '@orchard/contracts/limits';
import { ModelError, openModel, type ModelCodec } from '@orchard/model';
import { isOfSameColumns } from './check-mixture.js';
import { mixtureOf } from './mixture-of.js';
import { MIXTURE_FAMILY } from './mixture.js';

/**
 * How mixtures of models of these families are read.
 *
 * @param codecs of the members: a mixture is none of them, so that files do not nest
 */
export function mixtureCodec(codecs: readonly ModelCodec[]): ModelCodec {
  return {
    family: MIXTURE_FAMILY,
    read: (head, body) => {
      const refuse = (where: string, got: string, expected: string): never => {
        const remedy = 'Get the file again from where it was made.';
        throw new ModelError('not-a-network-file', { got, expected, where, remedy });
      };
      const count = body.bytes('weights').length / 8;
      if (!Number.isInteger(count) || count < 1 || count > MAXIMUM_MEMBERS)
        refuse('weights', `${count} weights`, `1 to ${MAXIMUM_MEMBERS} numbers of 8 bytes each`);
      const keys = Array.from({ length: count }, (_, m) => `member${m}`);
      body.requireOnly(['weights', ...keys]);
      const members = keys.map((key) => openModel(body.bytes(key), codecs, body.room));
      const { specification, likelihoods } = head;
      const mixture = mixtureOf({ members, weights: body.floats('weights', count), specification, likelihoods });
      if (!isOfSameColumns(head, mixture)) refuse('variables', 'other columns than those of the members', 'the same');
      return mixture;
    },
  };
}
