import { expect, test } from 'vitest';
import { readConfig } from './config.js';

test('the secrets of the example are refused at the start', () => {
  const environment = { ORCHARD_STORE: 's3://orchard' };
  expect(readConfig(environment).ORCHARD_METRICS_TOKEN).toBeUndefined();
  for (const name of ['AWS_SECRET_ACCESS_KEY', 'ORCHARD_METRICS_TOKEN']) {
    const copied = { ...environment, [name]: 'replace-this-secret-with-one-of-your-own' };
    expect(() => readConfig(copied)).toThrow(name);
  }
});
