import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { sendable } from './s3-body.js';
import { isNotImplemented, isTaken, isUploadGone } from './s3-errors.js';
import type { Requests } from './s3-requests.js';

/** An object on its way to the server. */
export interface Upload {
  readonly name: string;
  readonly object: { readonly Bucket: string; readonly Key: string };
  readonly bytes: Uint8Array;
  /** Of the bytes, in hex: kept with the object. */
  readonly sha256: string;
  /** Only where no object has the name. */
  readonly createOnly: boolean;
}

/** Writes an object by one request. */
export async function uploadWhole(client: S3Client, requests: Requests, upload: Upload): Promise<void> {
  const { name, object, bytes, sha256, createOnly } = upload;
  const command = new PutObjectCommand({
    ...object,
    Body: sendable(bytes),
    Metadata: { sha256 },
    ...(createOnly && { IfNoneMatch: '*' }),
  });
  command.middlewareStack.add(signedBy(sha256), { step: 'build' });
  await requests.send(
    'put',
    name,
    bytes.length,
    (abortSignal) => client.send(command, { abortSignal }),
    isAnswerToUpload,
  );
}

/**
 * Signs a body by a hash that is known: the SDK would hash it once more, all of it in one turn of the event loop. The
 * server holds what it gets against it.
 *
 * @param sha256 in hex
 */
export function signedBy(sha256: string) {
  return <Args extends { request: unknown }, Output>(next: (args: Args) => Promise<Output>) =>
    (args: Args): Promise<Output> => {
      (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
      return next(args);
    };
}

/** Answers that the uploader handles: they are not failures of the request. */
export function isAnswerToUpload(error: unknown): boolean {
  return isTaken(error) || isUploadGone(error) || isNotImplemented(error);
}
