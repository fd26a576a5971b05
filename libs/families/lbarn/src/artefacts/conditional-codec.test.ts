import { EnsembleBuilder } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  curvesReach,
  decodeConditional,
  decodeCurves,
  encodeConditional,
  type StoredConditional,
} from './conditional-codec.js';

const likelihood = fc.double({ min: -1e9, max: 0, noNaN: true });
const positive = fc.double({ min: 1e-9, max: 1e9, noNaN: true });

const conditionals = fc
  .record({
    position: fc.integer({ min: 1, max: 5000 }),
    dimension: fc.integer({ min: 0, max: 5000 }),
    finished: fc.boolean(),
    startOdds: positive,
    hasValid: fc.boolean(),
    hasTest: fc.boolean(),
    start: fc.option(
      fc.record({ of: fc.constantFrom('startPenalty', 'exclusiveChance'), value: positive, trees: fc.nat(5) }),
    ),
    dropout: fc.option(fc.record({ rate: positive, shrinkage: positive, seed: fc.maxSafeNat() })),
    trees: fc.array(fc.array(fc.tuple(fc.nat(), fc.nat(), positive, positive), { maxLength: 6 }), { maxLength: 8 }),
  })
  .chain(({ trees, hasValid, hasTest, start, dropout, ...rest }) => {
    const curve = fc.array(likelihood, { minLength: trees.length + 1, maxLength: trees.length + 1 });
    return fc.tuple(curve, curve, curve).map(([train, valid, test]): StoredConditional => {
      const builder = new EnsembleBuilder(rest.startOdds);
      for (let tree = 0; tree < (start?.trees ?? 0); tree++)
        builder.push({ splitLeaf: [0], splitPredictor: [0], splitGain: [0], leafFactor: [0.5, 2] });
      for (const splits of trees) {
        builder.push({
          splitLeaf: splits.map(([leaf], number) => leaf % (number + 1)),
          splitPredictor: splits.map(([, predictor]) => predictor % rest.position),
          splitGain: splits.map(([, , gain]) => gain),
          leafFactor: [1, ...splits.map(([, , , factor]) => factor)],
        });
      }
      return {
        position: rest.position,
        dimension: rest.dimension,
        finished: rest.finished,
        curves: {
          train: Float64Array.from(train),
          valid: hasValid ? Float64Array.from(valid) : null,
          test: hasTest ? Float64Array.from(test) : null,
        },
        ensemble: builder.build(),
        ...(start !== null && { [start.of]: start.value }),
        ...(dropout !== null && { dropout }),
      };
    });
  });

function refusedAs(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('the artefact of a conditional', () => {
  test('reads back in every bit, also from an odd offset, and is the same bytes again', () => {
    fc.assert(
      fc.property(conditionals, fc.nat(15), (conditional, offset) => {
        const bytes = encodeConditional(conditional);
        const shifted = new Uint8Array(bytes.length + offset).subarray(offset);
        shifted.set(bytes);
        const read = decodeConditional(shifted, 'a');
        expect(read).toEqual(conditional);
        expect(encodeConditional(read)).toEqual(bytes);
      }),
    );
  });

  test('gives its curves from its head alone', () => {
    fc.assert(
      fc.property(conditionals, (conditional) => {
        const bytes = encodeConditional(conditional);
        const rounds = conditional.curves.train.length - 1;
        const { dimension, position, finished, curves, startPenalty, exclusiveChance, dropout } = conditional;
        const trees = conditional.ensemble.leafCounts.length;
        expect(decodeCurves(bytes.subarray(0, curvesReach(rounds)), 'a')).toEqual({
          dimension,
          position,
          finished,
          ...curves,
          ...(dropout !== undefined && { dropout }),
          ...(startPenalty !== undefined && { variant: { of: 'start', value: startPenalty, trees } }),
          ...(exclusiveChance !== undefined && { variant: { of: 'exclusive', value: exclusiveChance, trees } }),
        });
      }),
    );
  });

  test('is refused as damaged when any byte is another or it ends early', () => {
    fc.assert(
      fc.property(conditionals, fc.nat(), fc.integer({ min: 1, max: 255 }), (conditional, at, change) => {
        const bytes = encodeConditional(conditional);
        const flipped = bytes.slice();
        flipped[at % bytes.length]! ^= change;
        expect(refusedAs(() => decodeConditional(flipped, 'a'))).toBe('damaged-artefact');
        expect(refusedAs(() => decodeConditional(bytes.subarray(0, at % bytes.length), 'a'))).toBe('damaged-artefact');
        expect(refusedAs(() => decodeConditional(Buffer.concat([bytes, Buffer.alloc(1)]), 'a'))).toBe(
          'damaged-artefact',
        );
        const headLength = curvesReach(conditional.curves.train.length - 1);
        const cut = bytes.subarray(0, at % Math.min(headLength, 64 + 8));
        expect(refusedAs(() => decodeCurves(cut, 'a'))).toBe('damaged-artefact');
      }),
    );
  });

  test('is refused where its trees contradict its position, digest or not', () => {
    const builder = new EnsembleBuilder(1);
    builder.push({ splitLeaf: [0], splitPredictor: [7], splitGain: [1], leafFactor: [1, 2] });
    const curves = { train: Float64Array.of(-2, -1), valid: null, test: null };
    const bytes = encodeConditional({ dimension: 0, position: 7, finished: true, curves, ensemble: builder.build() });
    expect(refusedAs(() => decodeConditional(bytes, 'a'))).toBe('damaged-artefact');
  });
});
