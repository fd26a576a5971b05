import { mixtureCodec, mixtureOf } from '@orchard/members';
import { describeDensityModel } from '@orchard/model/conformance';
import { expect, test } from 'vitest';
import { membersOf } from './mixed-members.js';
import { sparnCodec } from './sparn-model.js';

const untold = { train: null, valid: null, test: null };

describeDensityModel('a mixture of sparse autoregressive networks', {
  codec: mixtureCodec([sparnCodec]),
  make: (variables) => {
    const parts = Array.from({ length: variables.dimensions }, (_, column) => ({
      intercept: 0.2,
      intercepts: [0.3, -0.4],
      predictors: column < 1 ? [] : [column - 1],
      weights: column < 1 ? [] : [0.7],
      own:
        column < 2
          ? { components: [], predictors: [], weights: [] }
          : { components: [0, 1], predictors: [column - 2, column - 1], weights: [0.5, -0.7] },
    }));
    const members = membersOf(parts, variables);
    return mixtureOf({ members, weights: Float64Array.of(0.4, 0.6), specification: null, likelihoods: untold });
  },
});

test('the networks of components have what all share and what is their own; what cancels is no weight', () => {
  const own = { components: [1, 1], predictors: [0, 1], weights: [-0.5, 2] };
  const none = { components: [], predictors: [], weights: [] };
  const parts = [0, 1, 2].map((column) => ({
    intercept: 1,
    intercepts: [column, -1],
    predictors: column === 2 ? [0] : [],
    weights: column === 2 ? [0.5] : [],
    own: column === 2 ? own : none,
  }));
  const [first, second] = membersOf(parts, { dimensions: 3, names: null, shape: null });
  expect(first!.sparse).toEqual({
    intercepts: Float64Array.of(1, 2, 3),
    starts: Uint32Array.of(0, 0, 0, 1),
    predictors: Uint32Array.of(0),
    weights: Float64Array.of(0.5),
  });
  expect([...second!.sparse.intercepts]).toEqual([0, 0, 0]);
  expect([...second!.sparse.predictors, ...second!.sparse.weights]).toEqual([1, 2]);
});
