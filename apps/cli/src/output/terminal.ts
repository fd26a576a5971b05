/** The part of a stream that output needs; a terminal also says how wide it is. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface TerminalOptions {
  /** Exactly one JSON document on stdout, nothing else there. */
  readonly json: boolean;
  /** Nothing on stderr but the error that ends the command. */
  readonly quiet: boolean;
}

/**
 * Where a command writes: results to stdout, all talk to stderr. Under `--json` the text of results is dropped and the document takes
 * its place.
 */
export class Terminal {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  #line = '';

  constructor(options: TerminalOptions, stdout: OutputStream = process.stdout, stderr: OutputStream = process.stderr) {
    this.json = options.json;
    this.quiet = options.quiet;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Whether stderr redraws lines. */
  get interactive(): boolean {
    return this.#stderr.isTTY === true && !this.quiet;
  }

  /** Columns of the terminal that results go to, 80 where there is none. */
  get columns(): number {
    return widthOf(this.#stdout) ?? widthOf(this.#stderr) ?? 80;
  }

  /** A result for people. */
  result(text: string): void {
    this.#erase();
    if (!this.json) this.#stdout.write(`${text}\n`);
  }

  /** The result for programs. */
  document(value: unknown): void {
    this.#erase();
    if (this.json) this.#stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** A remark on the way. */
  note(text: string): void {
    if (this.quiet) return;
    this.#erase();
    this.#stderr.write(`${text}\n`);
  }

  /** The remark that ends a command that failed: said even when quiet. */
  complain(text: string): void {
    this.#erase();
    this.#stderr.write(`${text}\n`);
  }

  /** A line that the next one takes the place of; only for terminals. */
  status(text: string): void {
    if (!this.interactive) return;
    const width = widthOf(this.#stderr) ?? 80;
    const shown = text.length < width ? text : `${text.slice(0, width - 2)}…`;
    this.#stderr.write(`\r\u001b[K${shown}`);
    this.#line = shown;
  }

  #erase(): void {
    if (this.#line === '') return;
    this.#stderr.write('\r\u001b[K');
    this.#line = '';
  }
}

/** Some terminals say that they are 0 wide, and mean that they do not know. */
function widthOf({ columns }: OutputStream): number | undefined {
  return columns === 0 ? undefined : columns;
}
