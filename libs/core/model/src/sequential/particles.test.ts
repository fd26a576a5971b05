import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { NOT_REACHED, Particles } from './particles.js';

/** Odds of a 1 after a beginning, the same each time. */
function oddsAfter(beginning: string): number {
  const number = parseInt(`1${beginning}`, 2);
  return Math.exp(3 * new RandomStream(number, 1000).uniform() - 1.5);
}

/** Drives groups through decisions: '?' is branched, '0' and '1' are observed. State is the string of outcomes. */
function driven(patterns: readonly string[], most: number, seeds: readonly number[]) {
  const decisions = patterns[0]!.length;
  const particles = new Particles(new Uint32Array(patterns.length).fill(most));
  patterns.forEach((_, group) => particles.begin(group));
  const states = new Array<string>(patterns.length * most).fill('');
  const odds = new Float64Array(states.length);
  const copy = (): void => {
    const { from, to } = particles.copies;
    for (let i = 0; i < from.length; i++) states[to[i]!] = states[from[i]!]!;
    from.length = to.length = 0;
  };
  const streams = seeds.map((seed) => new RandomStream(seed, 1001));
  for (let decision = 0; decision < decisions; decision++) {
    particles.compact();
    copy();
    states.forEach((state, particle) => (odds[particle] = oddsAfter(state)));
    patterns.forEach((pattern, group) => {
      const outcome = pattern[decision]!;
      const uniform = streams[group]!.uniform();
      if (outcome === '?') particles.branch(group, odds, uniform);
      else particles.observe(group, odds, outcome === '1' ? 1 : 0);
    });
    copy();
    patterns.forEach((pattern, group) => {
      for (const particle of particles.of(group)) {
        const outcome = pattern[decision] === '?' ? particles.taken[particle]! : pattern[decision]!;
        states[particle] = `${states[particle]!}${outcome}`;
      }
    });
  }
  const groups = patterns.map((_, group) => ({
    logEvidence: particles.logEvidence[group]!,
    thinned: particles.thinned[group]!,
    members: Array.from(particles.of(group), (particle) => [states[particle]!, particles.weight[particle]!] as const),
  }));
  return { particles, groups };
}

/** Every outcome that fits the pattern, with its probability. */
function enumerated(pattern: string): Map<string, number> {
  let outcomes = new Map([['', 1]]);
  for (const outcome of pattern) {
    const longer = new Map<string, number>();
    for (const [beginning, p] of outcomes) {
      const odds = oddsAfter(beginning);
      if (outcome !== '1') longer.set(`${beginning}0`, p / (1 + odds));
      if (outcome !== '0') longer.set(`${beginning}1`, (p * odds) / (1 + odds));
    }
    outcomes = longer;
  }
  return outcomes;
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0);

describe('particles', () => {
  it('are all possibilities, with their exact weights, where these fit', () => {
    const pattern = '?01??1';
    const [group] = driven([pattern], 8, [1]).groups;
    const exact = enumerated(pattern);
    const evidence = sumOf(exact.values());
    expect([group!.thinned, group!.members.length]).toEqual([0, 8]);
    expect(group!.logEvidence).toBeCloseTo(Math.log(evidence), 12);
    for (const [state, weight] of group!.members) expect(weight).toBeCloseTo(exact.get(state)! / evidence, 12);
  });

  it('where they do not fit are different ones, and right on average in evidence and weights', () => {
    const pattern = '?0??1??1?0';
    const exact = enumerated(pattern);
    const evidence = sumOf(exact.values());
    const runs = 3000;
    const seeds = Array.from({ length: runs }, (_, seed) => seed);
    const { groups } = driven(new Array<string>(runs).fill(pattern), 6, seeds);
    const ratios = groups.map(({ logEvidence }) => Math.exp(logEvidence) / evidence);
    const mean = sumOf(ratios) / runs;
    const deviation = Math.sqrt(sumOf(ratios.map((ratio) => (ratio - mean) ** 2)) / runs);
    expect(deviation).toBeGreaterThan(0.01);
    expect(Math.abs(mean - 1)).toBeLessThan((4 * deviation) / Math.sqrt(runs));
    const found = new Map<string, number>();
    groups.forEach(({ members, thinned }, run) => {
      expect([thinned, new Set(members.map(([state]) => state)).size]).toEqual([1, 6]);
      expect(sumOf(members.map(([, weight]) => weight))).toBeCloseTo(1, 12);
      for (const [state, weight] of members) found.set(state, (found.get(state) ?? 0) + weight * ratios[run]!);
    });
    for (const [state, p] of exact) {
      expect(Math.abs((found.get(state) ?? 0) / runs - p / evidence)).toBeLessThan(0.02);
    }
  });

  it('of a group are the same alone and beside others, wherever they are kept', () => {
    const patterns = ['?0??1??1?0', '??????????', '0000000???', '1?1?1?1?1?', '1111111111'];
    const seeds = [4, 5, 6, 7, 8];
    const together = driven(patterns, 5, seeds).groups;
    patterns.forEach((pattern, at) => {
      expect(driven([pattern], 5, [seeds[at]!]).groups[0]).toEqual(together[at]);
    });
  });

  it('that do not come to a decision go on as they are', () => {
    // a variable of three values: first whether it is the third, then which of the others
    const particles = new Particles(Uint32Array.of(4));
    particles.begin(0);
    const odds = new Float64Array(4).fill(1 / 3);
    particles.branch(0, odds, 0.5);
    particles.copies.from.length = particles.copies.to.length = 0;
    for (const particle of particles.of(0)) odds[particle] = particles.taken[particle] === 1 ? NaN : 2;
    particles.branch(0, odds, 0.5);
    const found = [...particles.of(0)].map((particle) => [particles.taken[particle], particles.weight[particle]]);
    expect(found).toEqual([
      [0, expect.closeTo(1 / 4, 12)],
      [1, expect.closeTo(1 / 2, 12)],
      [NOT_REACHED, expect.closeTo(1 / 4, 12)],
    ]);
    expect([particles.thinned[0], particles.logEvidence[0]]).toEqual([0, expect.closeTo(0, 12)]);
    odds.fill(NaN)[particles.of(0)[0]!] = 1;
    particles.observe(0, odds, 1);
    expect(particles.logEvidence[0]).toBeCloseTo(Math.log(7 / 8), 12);
    expect(particles.weight[particles.of(0)[0]!]).toBeCloseTo(1 / 7, 12);
  });

  it('are chosen in proportion to their weights, and leave their numbers to others when they end', () => {
    const { particles, groups } = driven(['??0??', '?????'], 16, [1, 2]);
    const members = groups[0]!.members;
    const counts = new Map<number, number>();
    for (let i = 0; i < 10_000; i++) {
      const particle = particles.choose(0, (i + 0.5) / 10_000);
      counts.set(particle, (counts.get(particle) ?? 0) + 1);
    }
    [...particles.of(0)].forEach((particle, at) => {
      expect(Math.abs((counts.get(particle) ?? 0) / 10_000 - members[at]![1])).toBeLessThan(2e-4);
    });
    const chosen = particles.choose(0, 0.5);
    expect([...particles.move(0, 1, [chosen])]).toEqual([0]);
    expect([[...particles.of(0)], [...particles.of(1)]]).toEqual([[], [chosen]]);
  });

  it('that are chosen for several draws are drawn on together until these differ', () => {
    const particles = new Particles(Uint32Array.of(2, 5));
    const first = particles.begin(0);
    particles.branch(0, new Float64Array(7).fill(1), 0.5);
    particles.copies.from.length = particles.copies.to.length = 0;
    const second = particles.of(0)[1]!;
    const places = particles.move(0, 1, [first, second, first, first, second]);
    expect([[...places], [...particles.of(1)]]).toEqual([
      [0, 1, 0, 0, 1],
      [first, second],
    ]);
    particles.draw(1, places, Uint8Array.of(1, NOT_REACHED, 0, 1, NOT_REACHED));
    const third = particles.of(1)[2]!;
    expect([[...places], [...particles.of(1)]]).toEqual([
      [0, 1, 2, 0, 1],
      [first, second, third],
    ]);
    expect([particles.copies, [first, second, third].map((particle) => particles.taken[particle])]).toEqual([
      { from: [first], to: [third] },
      [1, NOT_REACHED, 0],
    ]);
  });

  it('take what is certain without a second one, and stay when nothing that they say accounts for what is known', () => {
    const particles = new Particles(Uint32Array.of(4));
    particles.begin(0);
    const odds = new Float64Array(4);
    for (const [certain, outcome] of [
      [0, 0],
      [Infinity, 1],
    ] as const) {
      odds.fill(certain);
      expect(particles.branches(0, odds)).toBe(1);
      particles.branch(0, odds, 0.5);
      const [only, ...others] = particles.of(0);
      expect([others, particles.taken[only!], particles.weight[only!]]).toEqual([[], outcome, 1]);
      particles.observe(0, odds, outcome);
      expect(particles.logEvidence[0]).toBe(0);
    }
    particles.observe(0, odds, 0);
    expect([particles.logEvidence[0], particles.weight[particles.of(0)[0]!]]).toEqual([-Infinity, 1]);
  });

  it('that are forked are as if they had been two from the beginning', () => {
    const particles = new Particles(Uint32Array.of(4, 4));
    particles.begin(0);
    const odds = new Float64Array(8).fill(3);
    particles.branch(0, odds, 0.5);
    particles.observe(
      0,
      Float64Array.from(odds, (_, at) => at + 1),
      1,
    );
    particles.fork(0, 1, odds);
    const weights = (group: number): number[] => Array.from(particles.of(group), (each) => particles.weight[each]!);
    expect([weights(1), particles.logEvidence[1]]).toEqual([weights(0), particles.logEvidence[0]]);
    expect([...particles.of(0)].some((particle) => particles.of(1).includes(particle))).toBe(false);
  });

  it('are kept close together: numbers in use are few more than particles', () => {
    const { particles } = driven(new Array<string>(50).fill('????????'), 64, [...Array(50).keys()]);
    expect(particles.used).toBe(50 * 64);
    const kept = [...particles.of(49)];
    particles.move(0, 49, kept);
    particles.compact();
    expect(particles.used).toBe(64);
    expect([...particles.of(49)].sort((a, b) => a - b)).toEqual([...Array(64).keys()]);
  });
});
