declare module 'lz4js' {
  /** Unpacks an LZ4 frame. */
  export function decompress(frame: Uint8Array): Uint8Array;
}
