/**
 * Whether a server answers 412 to the second create-only put of a name, in one piece and in parts. Not all versions do.
 *
 * @param {{ url: string, region: string, bucket: string, accessKeyId: string, secretAccessKey: string }} server
 */
export async function honoursCreateOnly({ url, region, bucket: Bucket, accessKeyId, secretAccessKey }) {
  const s3 = await import('@aws-sdk/client-s3');
  // as in libs/tasks/storage/src/s3-configuration.ts: what the SDK prints about releases of 2027 matters when it is
  // raised
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const credentials = { accessKeyId, secretAccessKey };
  const client = new s3.S3Client({ endpoint: url, region, forcePathStyle: true, credentials, maxAttempts: 5 });
  const object = { Bucket, Key: 'create-only' };
  const once = { ...object, IfNoneMatch: '*' };
  try {
    await client.send(new s3.PutObjectCommand({ ...once, Body: 'first' }));
    const whole = await isRefused(() => client.send(new s3.PutObjectCommand({ ...once, Body: 'second' })));
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(object));
    const part = { ...object, UploadId, PartNumber: 1 };
    const { ETag } = await client.send(new s3.UploadPartCommand({ ...part, Body: 'third' }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    const complete = new s3.CompleteMultipartUploadCommand({ ...once, UploadId, MultipartUpload });
    const parts = await isRefused(() => client.send(complete));
    await client.send(new s3.DeleteObjectCommand(object));
    return whole && parts;
  } finally {
    client.destroy();
  }
}

/** @param {() => Promise<unknown>} send */
async function isRefused(send) {
  try {
    await send();
    return false;
  } catch (error) {
    if (/** @type {{ $metadata?: { httpStatusCode?: number } }} */ (error).$metadata?.httpStatusCode === 412)
      return true;
    throw error;
  }
}
