import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sendable } from './s3-body.js';
import type { Requests } from './s3-requests.js';
import { isAnswerToUpload, type Upload } from './s3-upload.js';

const partsAtOnce = 4;
/** S3's own limit. */
const mostParts = 10_000;

/** Writes an object in parts. On any failure the parts are removed; the object is visible only when all are there. */
export async function uploadInParts(
  client: S3Client,
  requests: Requests,
  upload: Upload,
  partSize: number,
): Promise<void> {
  const { name, object, bytes, sha256, createOnly } = upload;
  const size = Math.max(partSize, Math.ceil(bytes.length / mostParts));
  const { UploadId } = await requests.send('multipart', name, 0, (abortSignal) =>
    client.send(new CreateMultipartUploadCommand({ ...object, Metadata: { sha256 } }), { abortSignal }),
  );
  try {
    const parts: CompletedPart[] = [];
    const count = Math.ceil(bytes.length / size);
    let next = 0;
    let turn = Promise.resolve();
    const sendParts = async (): Promise<void> => {
      while (next < count) {
        // a part is summed before it goes, for tens of milliseconds: others of this process have their turn in between
        turn = turn.then(() => nextTurn());
        await turn;
        if (next >= count) return;
        const index = next++;
        const Body = sendable(bytes.subarray(index * size, (index + 1) * size));
        const command = { ...object, UploadId, PartNumber: index + 1, Body };
        const { ETag } = await requests.send('multipart', name, Body.length, (abortSignal) =>
          client.send(new UploadPartCommand(command), { abortSignal }),
        );
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
