import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sendable, sha256 } from './s3-body.js';
import type { Requests } from './s3-requests.js';
import { isAnswerToUpload, signedBy, type Upload } from './s3-upload.js';

const partsAtOnce = 4;
/** S3's own limit. */
const mostParts = 10_000;

interface SummedPart {
  readonly index: number;
  readonly body: Uint8Array;
  /** In hex. */
  readonly sha256: string;
}

/** Writes an object in parts. On any failure the parts are removed; the object is visible only when all are there. */
export async function uploadInParts(
  client: S3Client,
  requests: Requests,
  upload: Upload,
  partSize: number,
): Promise<void> {
  const { name, object, bytes, createOnly } = upload;
  const size = Math.max(partSize, Math.ceil(bytes.length / mostParts));
  const { UploadId } = await requests.send('multipart', name, 0, (abortSignal) =>
    client.send(new CreateMultipartUploadCommand({ ...object, Metadata: { sha256: upload.sha256 } }), { abortSignal }),
  );
  try {
    const parts: CompletedPart[] = [];
    const count = Math.ceil(bytes.length / size);
    let next = 0;
    // one part is summed after the other, in slices: other work of this process has its turn in between
    let summed: Promise<SummedPart | null> = Promise.resolve(null);
    const sumNext = async (): Promise<SummedPart | null> => {
      await nextTurn();
      if (next >= count) return null;
      const index = next++;
      const body = sendable(bytes.subarray(index * size, (index + 1) * size));
      return { index, body, sha256: await sha256(body) };
    };
    const sendParts = async (): Promise<void> => {
      for (;;) {
        summed = summed.then(sumNext);
        const part = await summed;
        if (part === null) return;
        const { index, body: Body } = part;
        const { ETag } = await requests.send('multipart', name, Body.length, (abortSignal) => {
          const command = new UploadPartCommand({ ...object, UploadId, PartNumber: index + 1, Body });
          command.middlewareStack.add(signedBy(part.sha256), { step: 'build' });
          return client.send(command, { abortSignal });
        });
        parts[index] = { ETag, PartNumber: index + 1 };
      }
    };
    try {
      await Promise.all(Array.from({ length: partsAtOnce }, sendParts));
    } finally {
      next = count;
    }
    const complete = {
      ...object,
      UploadId,
      MultipartUpload: { Parts: parts },
      ...(createOnly && { IfNoneMatch: '*' }),
    };
    await requests.send(
      'multipart',
      name,
      bytes.length,
      (abortSignal) => client.send(new CompleteMultipartUploadCommand(complete), { abortSignal }),
      isAnswerToUpload,
    );
  } catch (error) {
    const command = new AbortMultipartUploadCommand({ ...object, UploadId });
    // the failure itself is what is reported; a rule of the bucket removes what stays behind
    await client.send(command, { abortSignal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    throw error;
  }
}
