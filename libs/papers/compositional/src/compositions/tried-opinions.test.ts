import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { Tally } from './tally.js';
import { TriedOpinions } from './tried-opinions.js';

test.each(['noisy-or', 'sum-of-odds', 'mean', 'normalized-sum'] as const)(
  'tried by %s, an opinion beside others is what their tallies say of it, to the last bit',
  (rule) => {
    const abstaining = rule === 'noisy-or' || rule === 'sum-of-odds' ? 0.05 : 0.5;
    const stream = new RandomStream(1, 1014);
    const opinion = (): number => abstaining / 2 + (0.95 - abstaining / 2) * stream.uniform();
    const tallies = Array.from({ length: 4 }, (_, others) => {
      const tally = new Tally(rule, abstaining);
      for (let other = 0; other < others; other++) tally.add(opinion());
      return tally;
    });
    const tried = new TriedOpinions(rule, abstaining, tallies.length);
    tallies.forEach((tally, at) => {
      tried.take(at, tally);
    });
    for (let times = 0; times < 20; times++) {
      const own = opinion();
      expect([...tried.with(own)]).toEqual(tallies.map((tally) => tally.with(own)));
    }
  },
);
