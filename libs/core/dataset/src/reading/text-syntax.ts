import { refuseArgument } from '../errors.js';
import { encodingCalled } from '../table-files/lines/text-encoding.js';

/** How a text is written, whatever is made of it. */
export interface TextOptions {
  /** As utf-16, windows-1252, big5. @default UTF-8, and UTF-16 where a mark says so */
  readonly encoding?: string | undefined;
  /** Lines at the beginning of a text that are passed over, as a title. @default 0 */
  readonly skip?: number | undefined;
  /** What lines begin with that are remarks: they are passed over. @default there are none */
  readonly comment?: string | undefined;
  /**
   * What stands around cells that hold a delimiter or a line end.
   *
   * @default '"'; in a table that its first lines show to be written so, "'"
   */
  readonly quote?: '"' | "'" | 'none' | undefined;
  /** A character behind which the next one is text, as in `\"`. @default none: a quote within quotes is doubled */
  readonly escape?: string | undefined;
}

/** {@link TextOptions} checked, as the readers of text need them. */
export interface TextSyntax {
  /** By its name in the standard of the web; null where none was said. */
  readonly encoding: string | null;
  readonly skip: number;
  /** Null where no line is a remark. */
  readonly comment: Buffer | null;
  /** A byte; {@link NO_BYTE} where none stands around cells. */
  readonly quote: number;
  /** A byte; {@link NO_BYTE} where there is none. */
  readonly escape: number;
}

/** Equals no byte. */
export const NO_BYTE = -1;

/** A text as it is written where nothing else is said. */
export const USUAL_SYNTAX: TextSyntax = { encoding: null, skip: 0, comment: null, quote: 34, escape: NO_BYTE };

/** @throws DatasetError with code `argument` on options out of range or against each other. */
export function checkTextOptions({ encoding, skip = 0, comment, quote = '"', escape }: TextOptions): TextSyntax {
  const known = encoding === undefined ? null : encodingCalled(encoding);
  if (encoding !== undefined && known === null)
    refuseArgument(
      `the encoding ${JSON.stringify(encoding)}`,
      'utf-8, utf-16le, windows-1252, iso-8859-2, koi8-r, big5, gb18030, shift_jis, euc-kr and others of the web',
      'Give the name of one of these.',
    );
  if (!Number.isSafeInteger(skip) || skip < 0)
    refuseArgument(`skip ${skip}`, 'a number of lines, 0 or more', 'Give how many lines stand above the table.');
  if (comment !== undefined && (comment.trim() === '' || /[\r\n"]/.test(comment)))
    refuseArgument(
      `the mark of remarks ${JSON.stringify(comment)}`,
      'what such lines begin with, neither a blank nor a quote',
      'Give the characters, as #.',
    );
  if (!['"', "'", 'none'].includes(quote))
    refuseArgument(
      `the quote ${JSON.stringify(quote)}`,
      '", \' or none',
      'Give the character that stands around cells.',
    );
  if (escape !== undefined && (escape.length !== 1 || !/[!-~]/.test(escape) || /[A-Za-z0-9"',;|.+-]/.test(escape)))
    refuseArgument(
      `the escape ${JSON.stringify(escape)}`,
      'one sign of ASCII that stands for nothing else, as \\',
      'Give the character that stands before quotes within quotes, or leave it out where they are doubled.',
    );
  return {
    encoding: known,
    skip,
    comment: comment === undefined ? null : Buffer.from(comment),
    quote: quote === 'none' ? NO_BYTE : quote.charCodeAt(0),
    escape: escape === undefined ? NO_BYTE : escape.charCodeAt(0),
  };
}
