import { Purpose, RandomStream } from '@orchard/numerics';

/** The seed of member `index` of a run: 53 bits of a stream of the run's. */
export function memberSeed(seed: number, index: number): number {
  return new RandomStream(seed, Purpose.member, index).uniform() * 2 ** 53;
}
