import { expect, it } from 'vitest';
import { checkAlarmOptions, raiseAlarmsBy, showAlarms, type UsualScores } from './alarms.js';

const usual = Float64Array.from({ length: 999 }, (_, row) => row / 100);
const of = (scores: Float64Array): UsualScores => ({ scores, usual: 'file' });

it('names the rows above the score that usual rows have at that rate', () => {
  const lines: string[] = [];
  const terminal = { result: (line: string) => lines.push(line), note: () => undefined } as never;
  const alarms = raiseAlarmsBy(of(usual), Float64Array.of(1, 9.99, 9.98, 2, 50), { alarms: 1 / 1000 });
  expect(alarms).toMatchObject({ rows: [2, 5], usualRows: 999, threshold: 9.98 });
  const drift = [{ column: 'price', distance: 0.31, byChance: 0.02 }];
  showAlarms({ alarms, drift }, 5, terminal);
  showAlarms({ alarms: { ...alarms, usual: 'test' }, drift: [] }, 5, terminal);
  expect([lines[2], lines[5], lines[4]]).toEqual([
    'column price has drifted: distance 0.31, by chance 0.020',
    'no column has drifted from what the model learned',
    'above a score of 9.980, by 999 test rows, which promise a rate of 1/1,000',
  ]);
  expect(lines.slice(0, 2)).toEqual([
    '2 alarms of 5 rows, 0.0050 expected of usual ones: rows 2, 5',
    'above a score of 9.980, by 999 usual rows, which promise a rate of 1/1,000',
  ]);
});

it('refuses fewer usual rows than can promise the rate, and options without each other', () => {
  const few = usual.subarray(0, 500);
  expect(() => raiseAlarmsBy(of(few), usual, { alarms: 1 / 1000 })).toThrow(
    '--usual: got 500 usual rows, which can promise a rate of 1/501 at least, expected 999 for a rate of 1/1,000',
  );
  expect(() => raiseAlarmsBy(of(usual), usual, { alarms: 1 / 1000, window: 100 })).toThrow(
    '--window: got 100 usual rows',
  );
  expect(() => raiseAlarmsBy({ scores: few, usual: 'validation' }, usual, { alarms: 1 / 1000 })).toThrow(
    '--alarms: got 500 usual rows, which can promise a rate of 1/501 at least: the validation rows of the run',
  );
  expect(() => {
    checkAlarmOptions({ usual: 'usual.csv' });
  }).toThrow('--usual without --alarms RATE');
  expect(() => {
    checkAlarmOptions({ window: 10 });
  }).toThrow('--window without --alarms RATE');
});
