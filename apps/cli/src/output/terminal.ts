import { ExitCode } from '@orchard/refusal';
import { colourEnvironment, colours, hasColours, type ColourEnvironment } from './colours.js';
import { harmless, harmlessJson, harmlessLine } from './harmless.js';

/** The part of a stream that output needs; a terminal also says how wide it is. */
export interface OutputStream {
  /** False where the reader is behind, and `drain` will say when it has caught up. */
  write(text: string): unknown;
  once?(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The streams of the process, or those of a test. */
export interface Streams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export interface TerminalOptions {
  /** Exactly one JSON document on stdout, nothing else there. */
  readonly json: boolean;
  /** Nothing on stderr but the error that ends the command. */
  readonly quiet: boolean;
}

/**
 * Where a command writes: results to stdout, all talk to stderr. Under `--json` the text of results is dropped and the
 * document takes its place. What files and servers name may hold anything: here, and only here, all text is made
 * {@link harmless}.
 */
export class Terminal {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether results and talk are coloured. */
  readonly coloured: { readonly stdout: boolean; readonly stderr: boolean };
  /** What a file of options said to the command, for its document. */
  configured: unknown = null;
  /** What {@link remark} was given, for the document. */
  readonly #remarks: string[] = [];
  /** With what a command that succeeds ends the process. */
  exitCode: (typeof ExitCode)[keyof typeof ExitCode] = ExitCode.done;
  readonly #canRedraw: boolean;
  #line = '';
  #writtenAt = performance.now();

  constructor(
    options: TerminalOptions,
    private readonly stdout: OutputStream = process.stdout,
    private readonly stderr: OutputStream = process.stderr,
    environment: ColourEnvironment = colourEnvironment(),
  ) {
    this.json = options.json;
    this.quiet = options.quiet;
    this.coloured = { stdout: hasColours(stdout, environment), stderr: hasColours(stderr, environment) };
    this.#canRedraw = environment.TERM !== 'dumb';
  }

  /** Whether stderr redraws lines. */
  get interactive(): boolean {
    return this.stderr.isTTY === true && this.#canRedraw && !this.quiet;
  }

  /** Since when nothing was said. */
  get silentMilliseconds(): number {
    return performance.now() - this.#writtenAt;
  }

  /** Columns of the terminal that results go to, 80 where there is none. */
  get columns(): number {
    return widthOf(this.stdout) ?? widthOf(this.stderr) ?? 80;
  }

  /** Whether results are read by a person here and now, who is better served by an excerpt. */
  get showsResults(): boolean {
    return this.stdout.isTTY === true;
  }

  /** A result for people. */
  result(text: string): void {
    this.#erase();
    if (!this.json) this.stdout.write(`${harmless(text)}\n`);
  }

  /**
   * A result that is data: as it is to a file or a program, harmless to a terminal. Waits where the reader is slow.
   *
   * @param pieces text in UTF-8, no character of it divided between two
   */
  async data(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    this.#erase();
    if (this.json) return;
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const piece of pieces) {
      const text = decoder.decode(piece);
      await this.#write(this.showsResults ? harmless(text) : text);
    }
  }

  /** A result that matters less: grey where there are colours. */
  faint(text: string): void {
    this.#erase();
    if (this.json) return;
    const shown = harmless(text);
    this.stdout.write(`${this.coloured.stdout ? colours.faint(shown) : shown}\n`);
  }

  /** The result for programs, with what a file of options had a part in, and what was decided about the rows. */
  document(value: object): void {
    this.#erase();
    const isResult = Object.keys(value).some((key) => key !== 'error');
    const whole = { ...value, ...this.#ofEveryDocument(isResult) };
    if (this.json) this.stdout.write(`${harmlessJson(whole)}\n`);
  }

  /**
   * The same with fields that are too long to be held: each comes in pieces, in its place in the document or, where it
   * has none, behind the other fields. Waits where the reader is slow.
   *
   * @param value has some field
   * @param inPieces fields as JSON that is {@link harmlessJson harmless}
   */
  async documentInPieces(
    value: object,
    inPieces: Readonly<Record<string, Iterable<string> | AsyncIterable<string>>>,
  ): Promise<void> {
    this.#erase();
    if (!this.json) return;
    const fields = { ...value, ...inPieces, ...this.#ofEveryDocument(true) };
    let before = '{';
    for (const [name, field] of Object.entries(fields)) {
      if (field === undefined) continue;
      await this.#write(`${before}${harmlessJson(name)}:`);
      if (Object.hasOwn(inPieces, name)) for await (const piece of inPieces[name]!) await this.#write(piece);
      else await this.#write(harmlessJson(field));
      before = ',';
    }
    this.stdout.write('}\n');
  }

  /** A remark on the way. */
  note(text: string): void {
    if (this.quiet) return;
    this.#erase();
    this.#writtenAt = performance.now();
    const shown = harmless(text);
    this.stderr.write(`${this.coloured.stderr ? shown.replace(/(?<=^orchard: )warning:/, colours.yellow) : shown}\n`);
  }

  /**
   * What was decided about the rows without being asked for: left out, counted as missing, merged, guessed. It stands
   * in the document too, because readers of the result have to know.
   */
  remark(text: string): void {
    this.#remarks.push(text);
    this.note(`orchard: ${text}`);
  }

  /** The line that ends a command that failed: said even when quiet. */
  complain(text: string): void {
    this.#erase();
    const shown = harmless(text);
    this.stderr.write(`${this.coloured.stderr ? shown.replace(/^orchard:/, colours.red) : shown}\n`);
  }

  /** A line that the next one takes the place of; only for terminals. */
  status(text: string): void {
    if (!this.interactive) return;
    this.#writtenAt = performance.now();
    const width = widthOf(this.stderr) ?? 80;
    const line = harmlessLine(text);
    const shown = line.length < width ? line : `${line.slice(0, width - 2)}…`;
    this.stderr.write(`\r\u001b[K${shown}`);
    this.#line = shown;
  }

  /** How far something is: a line that the next one takes the place of, or one of its own in a log. */
  progress(text: string): void {
    if (this.interactive) this.status(text);
    else this.note(text);
  }

  #ofEveryDocument(isResult: boolean): object {
    return {
      ...(this.configured !== null && { configured: this.configured }),
      ...(isResult && this.#remarks.length > 0 && { remarks: this.#remarks }),
    };
  }

  /** Waits where the reader of results is behind. */
  async #write(text: string): Promise<void> {
    const isTaken = this.stdout.write(text);
    if (isTaken === false) await new Promise<void>((resolve) => this.stdout.once?.('drain', resolve));
  }

  #erase(): void {
    if (this.#line === '') return;
    this.stderr.write('\r\u001b[K');
    this.#line = '';
  }
}

/** Some terminals say that they are 0 wide, and mean that they do not know. */
function widthOf({ columns }: OutputStream): number | undefined {
  return columns === 0 ? undefined : columns;
}
