import { expect, test } from 'vitest';
import { addressesOf } from '../../infra/pack/addresses.mjs';

const repository = { type: 'git', url: 'git+https://github.com/Someone/Orchard.git' };
const built = { repository: 'Someone/Orchard', tag: 'v1.2.3' };

test('images and chart of a release are named after the repository of package.json', () => {
  expect(addressesOf({ repository, version: '1.2.3' }, built)).toEqual({
    version: '1.2.3',
    images: 'ghcr.io/someone/orchard',
    charts: 'ghcr.io/someone/orchard/charts',
  });
  expect(addressesOf({ repository: 'https://github.com/Someone/Orchard', version: '1.2.3' }, built).version).toBe(
    '1.2.3',
  );
});

test.each([
  ['no repository', { version: '1.2.3' }, built, 'package.json has no repository'],
  [
    'a repository elsewhere',
    { repository: 'https://example.org/x/y', version: '1.2.3' },
    built,
    'expected one of github.com',
  ],
  ['a fork', { repository, version: '1.2.3' }, { ...built, repository: 'else/orchard' }, 'A fork publishes'],
  ['a tag of another version', { repository, version: '1.2.4' }, built, 'expected v1.2.4'],
])('nothing is released with %s', (_, manifest, run, refusal) => {
  expect(() => addressesOf(manifest, run)).toThrow(refusal);
});
