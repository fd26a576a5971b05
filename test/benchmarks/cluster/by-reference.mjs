// A folder of Parquet parts in a bucket, trained by reference: what each program has in memory at its highest, while no
// row passes the coordinator or the client.
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { timed } from './processes.mjs';
import { load } from './machine.mjs';
import { Session } from './session.mjs';
import { orchard } from './overhead.mjs';

const rowsOfPart = 100_000;
/** Of text in each row, of which no model learns anything: what most tables of events have most of. */
const noteLetters = 1_500;
const numbers = 8;
const bucket = 'lake';
/** Soon learned: reading is what is measured. */
const words = ['--model', 'chow-liu'];

/** @param {{ gigabytes: number, say: (line: string) => void }} options */
export async function measureByReference({ gigabytes, say }) {
  const session = await Session.start({
    say,
    workers: 1,
    environment: { ORCHARD_SOURCES: `s3://${bucket}/events/` },
  });
  try {
    const begun = performance.now();
    const parts = await writeParts(session, gigabytes * 1e9, say);
    const made = (performance.now() - begun) / 1000;
    const memoryBefore = session.memory();
    const loadBefore = load();
    const environment = { ORCHARD_SERVER: session.cluster.url, ORCHARD_TOKEN: session.cluster.token };
    const source = `s3://${bucket}/events/`;
    const { output, seconds } = await timed(
      [...orchard, 'submit', source, ...words, '--watch', '--quiet', '--json'],
      environment,
    );
    const { id, specification } = JSON.parse(output);
    const { begun: submitted, ended } = await session.span(id);
    return {
      ...parts,
      made,
      seconds,
      trainingSeconds: (ended - submitted) / 1000,
      memoryBefore,
      memory: session.memory(),
      stored: await session.stored(`datasets/${specification.train}`),
      load: [loadBefore, load()],
    };
  } finally {
    await session.stop();
  }
}

/** Puts one part into the bucket, under other names, until there are so many bytes: making each takes longer. */
async function writeParts({ cluster }, wanted, say) {
  const { url: endpoint, region, accessKeyId, secretAccessKey } = cluster.s3;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    const Body = partOfEvents();
    let [bytes, parts] = [0, 0];
    while (bytes < wanted) {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: `events/${String(parts).padStart(5, '0')}.parquet`, Body }),
      );
      bytes += Body.length;
      parts += 1;
      if (parts % 10 === 0) say(`by-reference: ${parts} parts, ${(bytes / 1e9).toFixed(1)} GB`);
    }
    return { bytes, parts, rows: parts * rowsOfPart };
  } finally {
    client.destroy();
  }
}

/** Rows of an event: its number, labels, numbers that depend on them, and a note. */
function partOfEvents() {
  const letters = randomBytes(1 << 20).toString('base64');
  const labels = ['view', 'basket', 'order', 'return'];
  const regions = ['north', 'south', 'east', 'west'];
  const columnOf = (valueOf) => Array.from({ length: rowsOfPart }, (_, row) => valueOf(row));
  const kind = columnOf(() => labels[Math.floor(4 * Math.random() ** 2)]);
  const columnData = [
    { name: 'event', data: columnOf((row) => BigInt(row)), type: 'INT64' },
    { name: 'kind', data: kind, type: 'STRING' },
    { name: 'region', data: columnOf(() => regions[Math.floor(4 * Math.random())]), type: 'STRING' },
    ...Array.from({ length: numbers }, (_, at) => ({
      name: `measure_${at}`,
      data: Float64Array.from(kind, (label) => labels.indexOf(label) * (at % 3) + Math.random() + Math.random()),
      type: 'DOUBLE',
    })),
    {
      name: 'note',
      data: columnOf(() => {
        const from = Math.floor(Math.random() * (letters.length - noteLetters));
        return letters.slice(from, from + noteLetters);
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
  parquet.write({ columnData: columnData.map(({ name, data }) => ({ name, data })), rowGroupSize: rowsOfPart });
  parquet.finish();
  return Buffer.from(writer.getBytes());
}
