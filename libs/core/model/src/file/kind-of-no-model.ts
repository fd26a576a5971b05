/** First bytes, in Latin-1, and what has them. */
const KINDS: readonly (readonly [string, string])[] = [
  ['\x1f\x8b', 'compressed by gzip'],
  ['\x93NUMPY', 'a NumPy array'],
  ['\0\0\x08', 'an IDX file'],
  ['PAR1', 'a Parquet file'],
  ['ARROW1', 'an Arrow file'],
  ['PK\x03\x04', 'a zip archive or a workbook'],
  ['\x89PNG', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
  ['%PDF-', 'a PDF document'],
];

/** What people take for a model by mistake, by its first bytes; null for what may be a damaged one. */
export function kindOfNoModel(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, 512);
  if (head.length === 0) return 'empty';
  const begins = ([magic]: readonly [string, string]): boolean =>
    Array.from(magic).every((byte, at) => head[at] === byte.charCodeAt(0));
  const kind = KINDS.find(begins)?.[1];
  if (kind !== undefined) return kind;
  const isText = head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
  if (!isText) return null;
  const line = new TextDecoder().decode(head).split(/\r?\n/, 1)[0]!;
  return `text that begins with ${JSON.stringify(line.length > 40 ? `${line.slice(0, 37)}...` : line)}`;
}
