import { describe, expect, it } from 'vitest';
import { rankModels, type Candidate } from '@orchard/analysis';
import { comparisonMarkdown, comparisonText, type Comparison } from './show-comparison.js';

const candidate = (name: string, nats: readonly number[], seconds: number, bytes: number): Candidate => ({
  ...{ name, nats: Float64Array.from(nats), seconds, bytes, isWholeTime: true, threads: [2] },
  ...{ answers: { conditionals: 'drawn', mostProbable: 'none' }, facts: [['trees', '12 | many']] },
});
const comparisonOf = (...candidates: Candidate[]): Comparison => ({
  ...{ judged: rankModels(candidates), rows: { train: 70, valid: 10, test: 20 }, threads: 2, remarks: ['What else.'] },
});

const rows = Array.from({ length: 20 }, (_, row) => -1 - (row % 3));
const near = rows.map((nats, row) => nats + (row % 2 === 0 ? 0.4 : -0.41));
const far = rows.map((nats) => nats - 1);
const three = comparisonOf(
  candidate('slow', rows, 90, 5e6),
  candidate('near', near, 2, 900),
  candidate('far', far, 1, 10),
);

describe('the table of a comparison', () => {
  it('marks what the rows do not tell from the best, and says which of those is cheapest', () => {
    const text = comparisonText(three);
    const [, ...lines] = text.split('\n');
    expect(lines.slice(0, 3).map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['slow', '-1.950', '0.185', 'best', '2.813', '1 min 30 s', '5.0 MB'],
      ['near', '-1.955', '0.212', '~ -0.005', '0.093', '2.820', '2.0 s', '900 bytes'],
      ['far', '-2.950', '0.185', '-1.000', '0.000', '4.256', '1.0 s', '10 bytes'],
    ]);
    expect(text).toContain('do not tell near from slow. Of these near took the least time and room.');
    const cheap = comparisonOf(candidate('slow', rows, 90, 10), candidate('near', near, 2, 900));
    expect(comparisonText(cheap)).toContain('Of these near took the least time, slow the least room.');
  });

  it('of one model compares nothing', () => {
    const text = comparisonText(comparisonOf(candidate('only', rows, 1, 1)));
    expect(text).not.toMatch(/~|was picked/);
    expect(text).toMatch(/20 test rows, by which no model was trained or set\. /);
    expect(text).toMatch(/What else\.$/);
  });

  it('says of a lower bound that it is one', () => {
    const bounded = { ...candidate('bounded', far, 1, 10), isBound: true };
    const text = comparisonText(comparisonOf(candidate('slow', rows, 90, 5e6), bounded));
    expect(text).toMatch(/bounded +>= -2\.950/);
    expect(text).toMatch(/slow +-1\.950/);
    expect(text).toContain('>= is a lower bound: the likelihood of that model is higher');
    expect(text).toContain('by how much depends on the model');
    expect(text).not.toContain('are exact by all');
    expect(comparisonText(three)).not.toContain('bound');
  });

  it('says of a kind of model that is experimental that it is, and what that means', () => {
    const marked = { ...candidate('marked', far, 1, 10), isExperimental: true };
    const text = comparisonText(comparisonOf(candidate('slow', rows, 90, 5e6), marked));
    expect(text).toMatch(/^marked .*; experimental$/m);
    expect(text).toMatch(/^slow .* many$/m);
    expect(text).toContain('Experimental kinds of model are here for their papers');
    expect(comparisonText(three)).not.toContain('xperimental');
  });

  it('is a page in which a bar in a text is no column', () => {
    expect(comparisonMarkdown(three)).toContain('| conditionals by drawing | trees 12 \\| many |');
  });
});
