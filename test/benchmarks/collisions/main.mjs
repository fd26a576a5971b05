// npm run bench:collisions: a table of any number of rows in the shape of HIGGS, 21 low-level numbers of a collision and
// 7 masses that are functions of them, written row by row; and what other libraries take for decisions of it.
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { exp, log, RandomStream } from '@orchard/numerics';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { peersPython } from '../peers/environment.mjs';

const usage = `npm run bench:collisions -- --out FILE [options]

  --out FILE   .csv or .parquet, by its ending
  --rows N     rows (11000000)
  --seed N     the same rows for the same seed, and the first of more rows (1)
  --peers FILE instead: LightGBM's and XGBoost's time for single decisions of this file, on two threads

Lepton, missing energy and four jets of an invented collision, as HIGGS (UCI) has them, in units of their mean; then the invariant
masses m_jj, m_jjj, m_lv, m_jlv, m_bb, m_wbb, m_wwbb of those. The label is left out.`;

const jets = [1, 2, 3, 4].flatMap((jet) => [`jet ${jet} pt`, `jet ${jet} eta`, `jet ${jet} phi`, `jet ${jet} b-tag`]);
const names = [
  ...['lepton pT', 'lepton eta', 'lepton phi', 'missing energy magnitude', 'missing energy phi'],
  ...jets,
  ...['m_jj', 'm_jjj', 'm_lv', 'm_jlv', 'm_bb', 'm_wbb', 'm_wwbb'],
];
/** Rows that are made before any are written. */
const BLOCK = 50_000;
/** Of single precision, as in HIGGS. */
const DIGITS = 7;
const STREAM = 0x636f6c6c;

/** Energy and momentum of a massless particle, from what a detector measures. */
function particle(pt, eta, phi) {
  const up = exp(eta);
  return [(pt * (up + 1 / up)) / 2, pt * Math.cos(phi), pt * Math.sin(phi), (pt * (up - 1 / up)) / 2];
}

function invariantMass(...particles) {
  const [energy, x, y, z] = particles.reduce((sum, one) => sum.map((part, at) => part + one[at]), [0, 0, 0, 0]);
  return Math.sqrt(Math.max(0, energy * energy - x * x - y * y - z * z));
}

/** Fills one row, column after column from `at` on. */
function collide(stream, columns, row) {
  const normal = () => Math.sqrt(-2 * log(1 - stream.uniform())) * Math.cos(2 * Math.PI * stream.uniform());
  const angle = () => Math.PI * (2 * stream.uniform() - 1);
  const isSignal = stream.uniform() < 0.53;
  // the decay of a heavy particle gives its jets one direction and more momentum
  const [boost, axis, tilt] = [isSignal ? 1.25 : 1, angle(), 0.8 * normal()];
  const momentum = (scale) => 0.2 + scale * boost * exp(0.45 * normal());
  const turned = () => {
    const phi = isSignal ? axis + 0.9 * normal() : angle();
    return phi - 2 * Math.PI * Math.round(phi / (2 * Math.PI));
  };
  const lepton = [momentum(0.8), 1.0 * normal(), angle()];
  const missing = [momentum(0.85), angle()];
  const jetsOf = [1.0, 0.95, 0.85, 0.75].map((scale) => {
    const tag = stream.uniform();
    return [
      momentum(scale),
      tilt + normal(),
      turned(),
      tag < (isSignal ? 0.4 : 0.55) ? 0 : tag < 0.75 ? 1.086538 : 2.173076,
    ];
  });
  const [l, v, ...j] = [
    particle(...lepton),
    particle(missing[0], 0, missing[1]),
    ...jetsOf.map(([pt, eta, phi]) => particle(pt, eta, phi)),
  ];
  const values = [
    ...[...lepton, ...missing, ...jetsOf.flat()],
    ...[invariantMass(j[0], j[1]), invariantMass(j[0], j[1], j[2]), invariantMass(l, v), invariantMass(j[0], l, v)],
    ...[invariantMass(j[2], j[3]), invariantMass(l, v, j[2], j[3]), invariantMass(l, v, ...j)],
  ];
  values.forEach((value, column) => (columns[column][row] = value));
}

const say = (text) => process.stderr.write(`${text}\n`);

/** Each writes blocks of columns, and ends the file. */
const writers = {
  csv: async (path) => {
    const file = createWriteStream(path);
    const write = async (text) => {
      if (!file.write(text)) await once(file, 'drain');
    };
    await write(`${names.join(',')}\n`);
    return {
      write: async (columns, rows) => {
        const lines = [];
        for (let row = 0; row < rows; row++)
          lines.push(columns.map((column) => Number(column[row].toPrecision(DIGITS))).join(','));
        await write(`${lines.join('\n')}\n`);
      },
      end: async () => {
        file.end();
        await once(file, 'finish');
      },
    };
  },
  parquet: (path) => {
    const schema = names.map((name) => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' }));
    const writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: [{ name: 'root', num_children: names.length }, ...schema],
      createdBy: 'orchard',
    });
    return {
      write: (columns, rows) =>
        writer.write({
          columnData: names.map((name, at) => ({
            name,
            data: Array.from(columns[at].subarray(0, rows), (value) => Number(value.toPrecision(DIGITS))),
          })),
        }),
      end: () => writer.finish(),
    };
  },
};

await runPlainly('bench:collisions', async () => {
  const text = { type: 'string' };
  const given = readCommandLine('bench:collisions', usage, { out: text, rows: text, seed: text, peers: text });
  if (given.values.peers !== undefined) {
    const script = fileURLToPath(new URL('peers.py', import.meta.url));
    const { status } = spawnSync(peersPython(say), [script, given.values.peers], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
    return;
  }
  const { out } = given.values;
  const ending = /\.(csv|parquet)$/.exec(out ?? '')?.[1];
  if (ending === undefined) given.refuse(`got --out ${out ?? 'not at all'}, expected a file .csv or .parquet.`);
  const rows = given.whole('rows', { from: 1, otherwise: 11_000_000 });
  const stream = new RandomStream(given.whole('seed', { otherwise: 1 }), STREAM);
  const file = await writers[ending](out);
  const columns = names.map(() => new Float64Array(BLOCK));
  for (let done = 0; done < rows; done += BLOCK) {
    const count = Math.min(BLOCK, rows - done);
    for (let row = 0; row < count; row++) collide(stream, columns, row);
    await file.write(columns, count);
  }
  await file.end();
});
