// A folder of Parquet parts in a bucket, trained by reference: what each program has in memory at its highest, while no
// row passes the coordinator or the client.
import { CreateBucketCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync } from 'node:fs';
import { join } from 'node:path';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { temporaryFolder } from '../temporary-folder.mjs';
import { memoryOf, timed } from './processes.mjs';
import { load } from './machine.mjs';
import { Session } from './session.mjs';
import { orchard } from './overhead.mjs';

const rowsOfPart = 50_000;
const rowsOfGroup = 5_000;
/** Of text in each row, of which no model learns anything: what most tables of events have most of. */
const messageLetters = 6_000;
const numbers = 8;
const bucket = 'lake';
const folder = 'events/';
/** Soon learned: reading is what is measured. */
const words = {
  tables: [
    ...['--model', 'tables', '--bins', '8', '--cut-points', '7', '--leaves', '4'],
    ...['--rounds', '2', '--shrinkage', '0.5', '--rows-per-tree', '20000'],
  ],
  'chow-liu': ['--model', 'chow-liu'],
};
const sampleMilliseconds = 1_000;

/** @param {{ gigabytes: number, workers: number, model: keyof typeof words, say: (line: string) => void }} options */
export async function measureByReference({ gigabytes, workers, model, say }) {
  const store = temporaryFolder('by-reference');
  const environment = { ORCHARD_SOURCES: `s3://${bucket}/${folder}` };
  const session = await Session.start({ say, workers, environment, data: { store } });
  let sampling;
  try {
    const begun = performance.now();
    const parts = await writeParts(session, { store, wanted: gigabytes * 1e9, say });
    const made = (performance.now() - begun) / 1000;
    const memoryBefore = session.memory();
    const loadBefore = load();
    const samples = { taken: 0, most: 0 };
    sampling = setInterval(() => {
      samples.taken += 1;
      samples.most = Math.max(samples.most, memoryOf(session.cluster.coordinator.pid)?.now ?? 0);
    }, sampleMilliseconds);
    const access = { ORCHARD_SERVER: session.cluster.url, ORCHARD_TOKEN: session.cluster.token };
    const command = [...orchard, 'submit', `s3://${bucket}/${folder}`, ...words[model], '--watch', '--quiet', '--json'];
    const { output, seconds } = await timed(command, access);
    const { id, specification } = JSON.parse(output);
    const { begun: submitted, ended } = await session.span(id);
    return {
      ...parts,
      workers,
      model,
      made,
      seconds,
      trainingSeconds: (ended - submitted) / 1000,
      memoryBefore,
      memory: session.memory(),
      coordinator: samples,
      processorSeconds: session.processorSeconds(),
      stored: await session.stored(`datasets/${specification.train}`),
      load: [loadBefore, load()],
    };
  } finally {
    clearInterval(sampling);
    await session.stop();
  }
}

/**
 * Puts one part into the bucket, under other names, until there are so many bytes: making each takes longer. A server
 * whose objects are files gets them as links, which take no room on the disk.
 */
async function writeParts({ cluster }, { store, wanted, say }) {
  const { url: endpoint, region, accessKeyId, secretAccessKey } = cluster.s3;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const keyOf = (part) => `${folder}${String(part).padStart(5, '0')}.parquet`;
  const fileOf = (part) => join(store, 'data', bucket, keyOf(part));
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    const Body = partOfEvents();
    const put = (part) => client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(part), Body }));
    await put(0);
    const areFiles = existsSync(fileOf(0));
    const parts = Math.max(1, Math.ceil(wanted / Body.length));
    for (let part = 1; part < parts; part++) {
      if (areFiles) linkSync(fileOf(0), fileOf(part));
      else await put(part);
      if (part % 10 === 0) say(`by-reference: ${part} parts, ${((part * Body.length) / 1e9).toFixed(1)} GB`);
    }
    const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(parts - 1) }));
    if (ContentLength !== Body.length) throw new Error(`the last part has ${ContentLength} bytes`);
    return { bytes: parts * Body.length, parts, rows: parts * rowsOfPart, areLinks: areFiles };
  } finally {
    client.destroy();
  }
}

/** Rows of an event: its number and id, labels, numbers that depend on them, and a message. */
function partOfEvents() {
  const letters = randomBytes(1 << 20).toString('base64');
  const labels = ['view', 'basket', 'order', 'return'];
  const regions = ['north', 'south', 'east', 'west'];
  const columnOf = (valueOf) => Array.from({ length: rowsOfPart }, (_, row) => valueOf(row));
  const kind = columnOf(() => labels[Math.floor(4 * Math.random() ** 2)]);
  const columnData = [
    { name: 'event', data: columnOf((row) => BigInt(row)), type: 'INT64' },
    { name: 'id', data: columnOf(() => randomUUID()), type: 'STRING' },
    { name: 'kind', data: kind, type: 'STRING' },
    { name: 'region', data: columnOf(() => regions[Math.floor(4 * Math.random())]), type: 'STRING' },
    ...Array.from({ length: numbers }, (_, at) => ({
      name: `measure_${at}`,
      data: Float64Array.from(
        kind,
        (label) => labels.indexOf(label) * (at % 3) + Math.round(100 * (Math.random() + Math.random())) / 100,
      ),
      type: 'DOUBLE',
    })),
    {
      name: 'message',
      data: columnOf(() => {
        const from = Math.floor(Math.random() * (letters.length - messageLetters));
        return letters.slice(from, from + messageLetters);
      }),
      type: 'STRING',
    },
  ];
  const writer = new ByteWriter();
  const types = {
    STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    INT64: { type: 'INT64' },
    DOUBLE: { type: 'DOUBLE' },
  };
  const parquet = new ParquetWriter({
    writer,
    codec: 'UNCOMPRESSED',
    schema: [
      { name: 'root', num_children: columnData.length },
      ...columnData.map(({ name, type }) => ({ name, repetition_type: 'REQUIRED', ...types[type] })),
    ],
  });
  parquet.write({ columnData: columnData.map(({ name, data }) => ({ name, data })), rowGroupSize: rowsOfGroup });
  parquet.finish();
  return Buffer.from(writer.getBytes());
}
