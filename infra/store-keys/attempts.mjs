import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';

// as in libs/tasks/storage/src/s3-configuration.ts: what the SDK prints about releases of 2027 matters when it is
// raised
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** @typedef {'coordinator' | 'selector' | 'worker'} StoreProgram */

/**
 * What the key of each program may do; what else {@link attempt} tries has to be refused.
 *
 * @type {Readonly<Record<StoreProgram, readonly string[]>>}
 */
export const allowed = {
  coordinator: ['put', 'get', 'list', 'delete a checkpoint', 'delete a conditional', 'write an audit record'],
  selector: ['put', 'get', 'list', 'delete a checkpoint'],
  worker: ['put', 'get', 'list', 'delete a checkpoint'],
};

/**
 * Tries all that a program could want of the store, on objects of a run `x` that it makes, and says what it was let do.
 *
 * @param {{ url: string, region: string, bucket: string }} server
 * @param {StoreProgram} program
 * @param {string} secret of its key
 * @returns {Promise<string[]>}
 * @throws what the store answers otherwise than by doing it or by AccessDenied
 */
export async function attempt({ url, region, bucket: Bucket }, program, secret) {
  const credentials = { accessKeyId: `orchard-${program}`, secretAccessKey: secret };
  const client = new S3Client({ endpoint: url, region, forcePathStyle: true, maxAttempts: 1, credentials });
  const own = { Bucket, Key: `runs/x/conditionals/${program}` };
  const checkpoint = { Bucket, Key: `runs/x/checkpoints/3/${program}` };
  const record = { Bucket, Key: `audit/2026/11/22/${program}` };
  /** @type {[string, () => Promise<unknown>][]} */
  const wishes = [
    ['put', () => client.send(new PutObjectCommand({ ...own, Body: 'x' }))],
    ['get', () => client.send(new GetObjectCommand(own))],
    ['list', () => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }))],
    ['delete a checkpoint', () => client.send(new DeleteObjectCommand(checkpoint))],
    ['delete a conditional', () => client.send(new DeleteObjectCommand(own))],
    ['write an audit record', () => client.send(new PutObjectCommand({ ...record, Body: 'x' }))],
    // of the coordinator the one that it has written, of the others one that might be there
    ['delete an audit record', () => client.send(new DeleteObjectCommand(record))],
    ['change rights', () => client.send(new PutBucketPolicyCommand({ Bucket, Policy: '{}' }))],
  ];
  const done = [];
  try {
    await client.send(new PutObjectCommand({ ...checkpoint, Body: 'x' }));
    for (const [what, send] of wishes) {
      const refusal = await send().then(
        () => null,
        (/** @type {Error} */ error) => error,
      );
      if (refusal === null) done.push(what);
      else if (refusal.name !== 'AccessDenied') throw refusal;
    }
  } finally {
    client.destroy();
  }
  return done;
}
