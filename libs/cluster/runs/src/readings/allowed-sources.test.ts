import { expect, test } from 'vitest';
import { parseSources, requireAllowed, type Asker } from './allowed-sources.js';

const alice: Asker = { name: 'alice', way: 'token', role: 'submitter' };
const admin: Asker = { name: 'root', way: 'token', role: 'admin' };
/** A user of the issuer may choose a name. */
const other: Asker = { name: 'alice', way: 'oidc', subject: '17', role: 'submitter' };
const places = 's3://lake/sales/ s3://lake/hr/=alice,role:admin\ns3://whole s3://lake/one.csv=oidc:17';

test.each([
  ['s3://lake/sales/a.csv', alice, true],
  ['s3://lake/sales/', other, true],
  ['s3://lake/sales/**/*.parquet', other, true],
  ['s3://lake/sales', alice, false],
  ['s3://lake/salesman/a.csv', alice, false],
  ['s3://lake/sales*', alice, false],
  ['s3://lake/{sales,hr}/a.csv', alice, false],
  ['s3://lake/*', alice, false],
  ['s3://lake/hr/a.csv', alice, true],
  ['s3://lake/hr/a.csv', admin, true],
  ['s3://lake/hr/a.csv', other, false],
  ['s3://lake/hr/a.csv', null, true],
  ['s3://whole/anything/x', other, true],
  ['s3://wholesale/x', other, false],
  ['s3://lake/one.csv', other, true],
  ['s3://lake/one.csv', alice, false],
  ['s3://lake/one.csv.gz', other, false],
  ['s3://elsewhere/x', null, false],
])('%s is read for those alone who may have it read', (source, asker, isAllowed) => {
  const check = (): void => requireAllowed(parseSources(places), source, asker);
  if (isAllowed) check();
  else expect(check).toThrow('ORCHARD_SOURCES');
});

test('a cluster without places reads none, and says what to set', () => {
  expect(() => requireAllowed(parseSources(''), 's3://lake/x', alice)).toThrow('this one reads none');
});

test.each(['lake/sales', 's3://lake/*', 's3://L/', 's3://lake/x=', 'https://host/'])(
  'the entry %s is refused at the start',
  (entry) => {
    expect(() => parseSources(`s3://lake/ ${entry}`)).toThrow('ORCHARD_SOURCES, entry 2');
  },
);
