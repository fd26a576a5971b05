import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { StorageError } from './errors.js';
import { failure } from './s3-errors.js';

/** Signatures of version 4 live for a week at most. */
const longest = 7 * 24 * 3600;

/**
 * @param signingDate the server's time: by another clock a URL has ended already, or is of the future
 * @throws StorageError `invalid-range`; `denied` or `unavailable` where no credentials are found
 */
export async function presignedUrl(
  signer: S3Client,
  name: string,
  object: { readonly Bucket: string; readonly Key: string },
  seconds: number,
  signingDate: Date,
): Promise<string> {
  if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= longest)) {
    throw new StorageError('invalid-range', {
      got: `a URL for ${seconds} s`,
      expected: `a whole number of seconds from 1 to ${longest}`,
      where: name,
      remedy: 'Ask for another URL when this one has expired.',
    });
  }
  try {
    return await getSignedUrl(signer, new GetObjectCommand(object), { expiresIn: seconds, signingDate });
  } catch (error) {
    throw failure(name, error, 1);
  }
}
