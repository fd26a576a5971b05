import type { OutputStream } from './terminal.js';

/** What a program reads that runs a command itself: no colours, on no terminal. */
export const plainEnvironment = { NO_COLOR: '1', FORCE_COLOR: undefined, TERM: 'dumb' };

export const silent: OutputStream = { write: () => true };

/** A stream that keeps what is written. */
export class Captured implements OutputStream {
  text = '';

  write(text: string): void {
    this.text += text;
  }
}
