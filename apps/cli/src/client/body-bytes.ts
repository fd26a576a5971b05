import { arrayFor } from '@orchard/storage';

/**
 * The body of a response, read into one array of the announced length: `arrayBuffer()` holds what it reads three times
 * over, which for a model of gigabytes is more than many machines have.
 */
export async function bodyBytes(response: Response): Promise<Uint8Array> {
  const { headers, body } = response;
  const announced = headers.get('content-length');
  // the length is that of what was sent, before it was unpacked
  if (body === null || announced === null || headers.has('content-encoding'))
    return new Uint8Array(await response.arrayBuffer());
  const bytes = arrayFor(response.url, Number(announced));
  let read = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes.set(chunk, read);
    read += chunk.length;
  }
  return bytes.subarray(0, read);
}
