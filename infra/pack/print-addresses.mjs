// node infra/pack/print-addresses.mjs --tag v1.2.3 --repository OWNER/NAME: where a release goes, as outputs of a
// workflow's step.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runPlainly } from '../command-line.mjs';
import { addressesOf } from './addresses.mjs';

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const text = /** @type {const} */ ({ type: 'string', default: '' });
const { values } = parseArgs({ options: { tag: text, repository: text } });

await runPlainly('addresses', async () => {
  const manifest = { repository: read('package.json').repository, version: read('apps/cli/package.json').version };
  for (const [name, value] of Object.entries(addressesOf(manifest, values))) console.log(`${name}=${value}`);
});
