import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toValues } from '../port/binary-matrix.js';
import { Network, networkCodec } from '../network/network.js';
import { openModel } from './open-model.js';

/**
 * Written by the last release whose files were of version 1: `orchard train` on twelve columns of mushrooms, with names
 * and a shape, leaves 4, rounds 30, a random ordering, individual selection. What is expected of it was printed by that
 * release.
 */
const file = readFileSync(new URL('./network-v1.msgpack', import.meta.url));
const network = Network.from(file);
const rows = Uint8Array.from('010010000000000100000100011111011001', Number);

describe('a file of version 1', () => {
  it('is still the one that was written then', () => {
    expect(file.subarray(1, 32).toString('latin1')).toBe('\xa5magic\xaforchard network\xa7version\x01');
    expect(createHash('sha256').update(file).digest('hex')).toBe(
      '4a67dd8612665fbb203277e3a206773f10291ad6cfc1c22a1a43e5b22f0369d0',
    );
  });

  it('says of itself what it said then', () => {
    expect([...network.ordering]).toEqual([2, 9, 1, 6, 10, 0, 4, 5, 11, 3, 7, 8]);
    expect(network.names).toEqual('edible,cap bell,größe,名前,odor=none,f,g,h,i,j,k,l'.split(','));
    expect(network.shape).toEqual([3, 4]);
    expect(network.likelihoods).toEqual({
      train: -3.170663693656369,
      valid: -3.1933482888212374,
      test: -3.1611732827583094,
    });
    expect(network.specification).toMatchObject({ leaves: 4, rounds: 30, seed: 7, numericsVersion: 3 });
    expect(network.summary()).toMatchObject({ dimensions: 12, trees: 336, leaves: 1053, depth: 3 });
  });

  it('answers with the bits of then', () => {
    expect([...network.logLikelihood(rows)]).toEqual([-5.283803040103896, -2.457286768434798, -27.1250970860396]);
    expect(toValues(network.sample(5, 11)).join('').match(/.{12}/g)).toEqual([
      '010000000000',
      '001000100000',
      '000000000100',
      '000000000100',
      '000100000000',
    ]);
    // what comes after known beginnings; of other blanks that release drew in another way
    const known = rows.map((_, at) => (network.ordering.indexOf(at % 12) < 4 ? 1 : 0));
    const { matrix, exact } = network.complete(rows, known, { seed: 3 });
    expect(toValues(matrix).join('')).toBe('010100000000000100000100011100000000');
    expect([...exact]).toEqual([1, 1, 1]);
  });

  it('is the same network when it is written again, in today’s format', () => {
    const today = network.toBytes();
    expect(today.length).toBeGreaterThan(file.length);
    const read = Network.from(today);
    expect({ ...read }).toEqual({ ...network });
    expect(read.logLikelihood(rows)).toEqual(network.logLikelihood(rows));
    expect(Buffer.compare(read.toBytes(), today)).toBe(0);
  });

  it('is opened among models of all families', () => {
    expect(openModel(file, [networkCodec]).family).toBe('lbarn');
  });
});
