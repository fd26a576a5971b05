declare module 'unbzip2-stream' {
  import type { Duplex } from 'node:stream';
  /** A stream that unpacks within `write` and `end`. */
  export default function unbzip2(): Duplex;
}
