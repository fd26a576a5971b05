// A coordinator of its own process, on files and one finished run: hostile.test.ts starts it with a heap of 128 MiB,
// which what it is sent would end. It runs what was built.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyEnsemble, Network } from '@orchard/model';
import { artefactNames } from '@orchard/pipeline';
import { RunError } from '@orchard/runs';
import { FilesystemStore } from '@orchard/storage';
import { untraced } from '@orchard/telemetry';
import { pino } from 'pino';
import { readConfig } from '../dist/config.js';
import { createApp } from '../dist/create-app.js';
import { Metrics } from '../dist/operations/metrics.js';

const run = 'a'.repeat(64);
const choice = { selection: 'individual', refit: false };
const dimensions = 4000;
const store = await FilesystemStore.open(await mkdtemp(join(tmpdir(), 'orchard-small-')));
const network = new Network({
  ordering: Uint32Array.from({ length: dimensions }, (_, dim) => dim),
  names: null,
  shape: null,
  specification: {},
  likelihoods: { train: null, valid: null, test: null },
  ensembles: Array.from({ length: dimensions }, () => emptyEnsemble(1)),
});
await store.put(artefactNames.network(run, 'individual'), network.toBytes());

const status = { id: run, family: 'lbarn', state: 'done', choice, choices: [choice], networks: [choice] };
const life = {
  status: async (/** @type {string} */ id) => {
    if (id === run) return status;
    throw new RunError('unknown-run', { got: id, expected: 'a run', remedy: 'Choose another.' });
  },
};
const config = readConfig({ ORCHARD_STORE: 's3://unused', ORCHARD_MAX_MEMORY_BYTES: String(192 * 2 ** 20) });
const app = await createApp(config, {
  log: pino({ level: 'silent' }),
  metrics: new Metrics([]),
  telemetry: untraced,
  store,
  life: /** @type {any} */ (life),
  datasets: /** @type {any} */ ({}),
  tasks: /** @type {any} */ ({}),
  glance: /** @type {any} */ (null),
  page: new Map(),
  reconciler: /** @type {any} */ ({ counts: () => [], lastPassAt: null }),
  checks: [],
  presign: null,
  stopping: new AbortController().signal,
  board: null,
});
await app.listen(0, '127.0.0.1');
console.log(app.getHttpServer().address().port);
// ends with whoever started it
process.stdin.resume().once('end', () => process.exit(0));
