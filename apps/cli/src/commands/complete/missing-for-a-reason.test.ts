import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, rowsIn, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const head = 'bike,battery,price,helmet';

/** Only an e-bike has a battery, and the bike says the price; whether a helmet is noted says nothing. */
function rental(stream: RandomStream): readonly [string, string, string, string] {
  const bike = ['city', 'trekking', 'e-bike'][stream.below(3)]!;
  const battery = bike === 'e-bike' ? String(40 + stream.below(5)) : '';
  const price = { city: '4', trekking: '6', 'e-bike': '9' }[bike]!;
  return [bike, battery, price, stream.below(4) === 0 ? '' : stream.below(2) === 0 ? 'yes' : 'no'];
}

const stream = new RandomStream(7, 1000);
const training = Array.from({ length: 900 }, () => rental(stream));
const rentals = Array.from({ length: 60 }, () => rental(stream));
const write = (name: string, rows: readonly (readonly string[])[]): void =>
  writeFileSync(at(name), `${[head, ...rows.map((cells) => cells.join(','))].join('\n')}\n`);
write('train.csv', training);
/** The bike is hidden, or the price. */
write(
  'gaps.csv',
  rentals.map(([bike, battery, price, helmet], row) =>
    row % 2 === 0 ? ['', battery, price, helmet] : [bike, battery, '', helmet],
  ),
);

describe.each([
  ['tables', ['--rounds', '24', '--leaves', '4', '--members', '1']],
  ['tables of members', ['--rounds', '24', '--leaves', '4', '--members', '3']],
  ['chow-liu', ['--model', 'chow-liu']],
])('blanks of %s', (kind, words) => {
  beforeAll(async () => {
    const { code, stderr } = await orchard(
      ...argv`train ${at('train.csv')} ${words} --out ${at(kind)} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
  });

  it.each([[['--point', 'median']], [[]], [['--draws', '2']]])(
    'that are missing for a reason spoil no others of their row, and are filled in: %j',
    async (options) => {
      const draws = options.includes('--draws') ? 2 : 1;
      const { stdout } = await orchard('complete', at(kind), at('gaps.csv'), ...options, '--quiet');
      const filled = rowsIn(stdout).map((cells) => cells.slice(draws - 1));
      expect(filled).toHaveLength(draws * rentals.length);
      const right = filled.filter(([bike, battery, price, helmet], at) => {
        expect([battery, helmet]).toEqual([expect.stringMatching(/^4[0-4]$/), expect.stringMatching(/^(yes|no)$/)]);
        const [trueBike, , truePrice] = rentals[Math.floor(at / draws)]!;
        return bike === trueBike && price === truePrice;
      });
      // a city bike has no battery: with one it would cost as an e-bike does
      expect(right.length / filled.length).toBeGreaterThan(0.9);
    },
  );

  it('are as probable', async () => {
    const { stdout } = await orchard('complete', at(kind), at('gaps.csv'), '--probabilities', '--quiet');
    const prices = rowsIn(stdout).filter(([, column]) => column === 'price');
    const right = prices.filter(([row, , value]) => value === rentals[Number(row) - 1]![2]);
    expect(right.reduce((sum, cells) => sum + Number(cells[3]), 0) / 30).toBeGreaterThan(0.9);
  });
});
