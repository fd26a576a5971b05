/** What people take for a model by mistake, by its first bytes; null for what may be a damaged one. */
export function kindOfNoModel(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, 512);
  const begins = (...magic: readonly number[]): boolean => magic.every((byte, at) => head[at] === byte);
  if (head.length === 0) return 'empty';
  if (begins(0x1f, 0x8b)) return 'compressed by gzip';
  if (begins(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59)) return 'a NumPy array';
  if (begins(0, 0, 8)) return 'an IDX file';
  const isText = head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
  if (!isText) return null;
  const line = new TextDecoder().decode(head).split(/\r?\n/, 1)[0]!;
  return `text that begins with ${JSON.stringify(line.length > 40 ? `${line.slice(0, 37)}...` : line)}`;
}
