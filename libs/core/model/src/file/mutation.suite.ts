import { readFileSync } from 'node:fs';
import { RandomStream } from '@orchard/numerics';
import { ModelError } from '../errors.js';
import { Network } from '../network/network.js';
import { randomNetwork } from '../network/random-network.suite.js';
import { isSealed, sealed } from './sealed.suite.js';

/** Small files with every kind of field filled: one of today, and one of version 1. */
export function fuzzSeedFiles(): readonly Uint8Array[] {
  const names = ['größe', 'b', '名前', 'd=e', 'a name of more than thirty-one bytes, to have another header', 'f'];
  const today = randomNetwork({ dimensions: 6, trees: 9, leaves: 7, seed: 2, names, shape: [2, 3] }).toBytes();
  return [today, new Uint8Array(readFileSync(new URL('./network-v1.msgpack', import.meta.url)))];
}

/**
 * Reads mutation `index` of a file: `'network'` (one that writes and reads itself), or the code of the typed error.
 * Three in four mutations of a file with a checksum get the checksum that fits them: else all would end there.
 */
export function readDamaged(file: Uint8Array, seed: number, index: number): string {
  const mutated = mutate(file, seed, index);
  let network: Network;
  try {
    network = Network.from(isSealed(file) && index % 4 !== 0 ? sealed(mutated) : mutated);
  } catch (error) {
    if (error instanceof ModelError) return error.code;
    throw error;
  }
  if (isSealed(file) && index % 4 === 0 && Buffer.compare(mutated, file) !== 0) throw new Error('damage that was read');
  if (!(network.logLikelihood(new Uint8Array(network.dimensions))[0]! < 0)) throw new Error('an impossible likelihood');
  Network.from(network.toBytes());
  return 'network';
}

/** What may happen to a file: seeded by number, so that a failure can be repeated. */
function mutate(file: Uint8Array, seed: number, index: number): Uint8Array {
  const stream = new RandomStream(seed, 2000, index);
  let bytes = file.slice();
  // a third of the damage goes to the head, where the structure is
  const place = (): number =>
    bytes.length === 0 ? 0 : stream.below(stream.below(3) === 0 ? Math.min(bytes.length, 400) : bytes.length);
  const times = 1 + stream.below(3);
  for (let time = 0; time < times; time++) {
    const at = place();
    switch (stream.below(8)) {
      case 0:
        bytes = bytes.slice(0, at);
        break;
      case 1:
        if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << stream.below(8));
        break;
      case 2:
        if (at < bytes.length) bytes[at] = stream.below(256);
        break;
      case 3: // a type of msgpack, extensions and long lengths among them
        if (at < bytes.length) bytes[at] = 0xc0 + stream.below(32);
        break;
      case 4:
        bytes.fill(stream.below(2) * 255, at, at + 1 + stream.below(8));
        break;
      case 5: // a piece removed
        bytes = joined(bytes.subarray(0, at), bytes.subarray(at + 1 + stream.below(16)));
        break;
      case 6: // a piece repeated
        bytes = joined(bytes.subarray(0, at + stream.below(16)), bytes.subarray(at));
        break;
      default: {
        // a piece moved over another
        const from = place();
        bytes.copyWithin(at, from, from + stream.below(64));
      }
    }
  }
  return bytes;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
