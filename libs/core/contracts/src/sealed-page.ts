import { createHash } from 'node:crypto';

/**
 * A page with the SHA-256 of its UTF-8 behind it, as a comment: bytes that change where they are kept are noticed on
 * their way out.
 */
export function sealedPage(html: string): string {
  return `${html}${sealOf(createHash('sha256').update(html).digest('hex'))}`;
}

const sealOf = (sha256: string): string => `<!-- sha256 ${sha256} of all before this -->\n`;

export const PAGE_SEAL_BYTES = sealOf('0'.repeat(64)).length;

/**
 * Whether a page is as it was written. One of a release that sealed none ends with its `</html>`, and is taken as it
 * is: where the seal itself has changed it ends with neither.
 *
 * @param sha256 of all but the last {@link PAGE_SEAL_BYTES} bytes, in hex
 * @param end those last bytes
 */
export function isPageEnd(sha256: string, end: Uint8Array): boolean {
  const text = Buffer.from(end).toString('latin1');
  return text === sealOf(sha256) || text.endsWith('</html>\n');
}

/** The same, of a page that is in memory. */
export function isWholePage(page: Uint8Array): boolean {
  const at = Math.max(0, page.length - PAGE_SEAL_BYTES);
  return isPageEnd(createHash('sha256').update(page.subarray(0, at)).digest('hex'), page.subarray(at));
}
