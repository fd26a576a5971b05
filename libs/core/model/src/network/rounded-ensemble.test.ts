import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../errors.js';
import { Network } from './network.js';
import { NumberArray } from '../file/number-array.js';
import { writeModelFile } from '../file/model-file.js';
import { equalEnsembles, randomMatrix, randomParts } from './random-network.suite.js';
import { roundedEnsemble } from './rounded-ensemble.js';
import { sealed } from '../file/sealed.suite.js';

const exact = new Network(randomParts({ dimensions: 6, trees: 40, leaves: 7, seed: 2 }));
const network = new Network({ ...exact, ensembles: exact.ensembles.map(roundedEnsemble) });
const file = network.toBytes();

describe('a rounded ensemble', () => {
  const rounded = (factor: number, gain: number) => {
    const { leafFactor, splitGain } = roundedEnsemble({
      startOdds: 1,
      leafCounts: Uint32Array.of(2),
      splitLeaf: Uint32Array.of(0),
      splitPredictor: Uint32Array.of(0),
      splitGain: Float64Array.of(gain),
      leafFactor: Float64Array.of(factor, 1),
    });
    return [leafFactor[0], splitGain[0]];
  };

  it('has the nearest factor of 16 significant bits and the nearest gain of 8', () => {
    expect(rounded(1 + 2 ** -15, 1 + 2 ** -7)).toEqual([1 + 2 ** -15, 1 + 2 ** -7]);
    expect(rounded(1 + 2 ** -16, 1 + 2 ** -8)).toEqual([1 + 2 ** -15, 1 + 2 ** -7]);
    expect(rounded(1 + 2 ** -16 - 2 ** -40, 1 + 2 ** -8 - 2 ** -40)).toEqual([1, 1]);
    expect(rounded(2 - 2 ** -40, 0)).toEqual([2, 0]);
    expect(rounded(2 ** -900, 2 ** 900)).toEqual([2 ** -900, 2 ** 900]);
  });

  it('leaves the ensemble that was rounded as it was, and changes nothing a second time', () => {
    const again = exact.ensembles.map(roundedEnsemble).map(roundedEnsemble);
    expect(again.every((ensemble, position) => equalEnsembles(ensemble, network.ensembles[position]!))).toBe(true);
    expect(equalEnsembles(exact.ensembles[1]!, network.ensembles[1]!)).toBe(false);
  });

  it('moves a log-likelihood by little', () => {
    const matrix = randomMatrix(50, 6, 1);
    const ours = network.logLikelihood(matrix);
    exact.logLikelihood(matrix).forEach((nats, row) => expect(Math.abs(nats - ours[row]!)).toBeLessThan(0.001));
  });
});

describe('a file of version 5', () => {
  it('holds rounded trees exactly, in a fraction of the bytes', () => {
    const read = Network.from(file);
    network.ensembles.forEach((ensemble, position) =>
      expect(equalEnsembles(read.ensembles[position]!, ensemble)).toBe(true),
    );
    expect(read.ordering).toEqual(network.ordering);
    expect(Buffer.compare(read.toBytes(), file)).toBe(0);
    expect(file.length).toBeLessThan(exact.toBytes().length / 3);
  });

  it('is written of rounded trees alone: of others nothing is lost', () => {
    expect([file[31], exact.toBytes()[31]]).toEqual([5, 2]);
    expect(Network.from(exact.toBytes()).ensembles).toEqual(exact.ensembles);
  });

  it('has the same bytes on every machine', () => {
    expect(createHash('sha256').update(file).digest('hex')).toMatchInlineSnapshot(
      `"d407b1ca6206a99ab15c65ad603127082895ae9439986b927494e84cc3fcfddc"`,
    );
  });

  it('is refused where a packed array is cut, longer than it says, or of numbers of an odd width', () => {
    const at = Buffer.from(file).indexOf('leafFactor') + 'leafFactor'.length + 3;
    const width = file[at];
    expect(width).toBe(4);
    for (const wrong of [0, 1, 3, 8, 255]) {
      const changed = file.slice();
      changed[at] = wrong;
      expect(() => Network.from(sealed(changed))).toThrow(ModelError);
    }
    const broken = file.slice();
    broken.fill(255, at + 2, at + 40);
    expect(() => Network.from(sealed(broken))).toThrow('leafFactor');
  });

  it('is refused before it is unpacked where it is a bomb, and written unpacked where it would look like one', () => {
    const trees = 2 ** 23 + 2 ** 17;
    const head = { ...network, family: 'lbarn', dimensions: 1, names: null, shape: null };
    const bomb = writeModelFile(head, {
      ordering: NumberArray.ofPackedIntegers([Uint32Array.of(0)]),
      startOdds: NumberArray.ofPackedFloats([Float64Array.of(1)]),
      treeCounts: NumberArray.ofPackedIntegers([Uint32Array.of(trees)]),
      splitCounts: NumberArray.ofPackedIntegers([new Uint32Array(trees)]),
      splitLeaf: NumberArray.ofPackedIntegers([]),
      splitPredictor: NumberArray.ofPackedIntegers([]),
      splitGain: NumberArray.ofPackedFloats([]),
      leafFactor: NumberArray.ofPackedFloats([]),
    });
    expect(bomb.length).toBeLessThan(10_000);
    expect(() => Network.from(bomb)).toThrow(/splitCounts: got arrays that unpack to 68\d{6} bytes or more/);

    const plain = new Network({
      ...network,
      ...{ dimensions: 1, names: null, shape: null, ordering: Uint32Array.of(0) },
      ensembles: [
        {
          ...{
            startOdds: 1,
            leafCounts: new Uint32Array(20_000).fill(1),
            leafFactor: new Float64Array(20_000).fill(1),
          },
          ...{ splitLeaf: new Uint32Array(0), splitPredictor: new Uint32Array(0), splitGain: new Float64Array(0) },
        },
      ],
    });
    expect(plain.toBytes()[31]).toBe(2);
    expect(Buffer.compare(Network.from(plain.toBytes()).toBytes(), plain.toBytes())).toBe(0);
  });
});
