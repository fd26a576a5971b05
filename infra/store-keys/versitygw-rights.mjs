// Gives the users that versitygw.sh made their rights, by one policy of the bucket. The coordinator's image has it in
// one file.
import { readFileSync } from 'node:fs';
import { PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';

const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_BUCKET = 'orchard', S3_ENDPOINT = 'http://s3:9000' } = process.env;

const statements = ['coordinator', 'selector', 'worker'].flatMap((program) => {
  const text = readFileSync(new URL(`${program}.json`, import.meta.url), 'utf8').replaceAll('BUCKET', S3_BUCKET);
  /** @type {object[]} */
  const rights = JSON.parse(text).Statement;
  return rights.map((right) => ({ ...right, Principal: { AWS: [`orchard-${program}`] } }));
});
// as in libs/tasks/storage/src/s3-configuration.ts: what the SDK prints about releases of 2027 matters when it is
// raised
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
const client = new S3Client({
  endpoint: S3_ENDPOINT,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID ?? '', secretAccessKey: S3_SECRET_ACCESS_KEY ?? '' },
});
const Policy = JSON.stringify({ Version: '2012-10-17', Statement: statements });
await client.send(new PutBucketPolicyCommand({ Bucket: S3_BUCKET, Policy }));
client.destroy();
