import type { DurationFormat, Variable } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import { numberOf } from '../variables/cell-values.js';
import { zoneOf } from '../variables/midnight.js';
import { isOfWholeNumbers } from '../variables/moment-format.js';
import { areNamesWithAnE } from '../variables/merged-texts.js';
import { isRounded, numberFromText } from '../variables/number-format.js';
import { isWholeIn64Bits } from './whole-in-64-bits.js';
import { isOfMonths } from '../variables/written-date.js';
import { offsetOf } from '../variables/zone-offset.js';
import { SpelledTwice } from './spelled-twice.js';
import { FormInFile, type TypeInFile } from './type-in-file.js';
import type { ColumnHead, TypedValue } from './typed-column.js';

/** The type of a column, and the value of each of its texts. */
export interface ColumnForm extends Omit<ColumnHead, 'name'> {
  valueOf(text: string): TypedValue;
}

/** What a column of texts is of. */
export interface TypedBy {
  /** Of a model's column. */
  readonly variable?: Variable | undefined;
  /** Of a column of a file whose columns have types: it comes before the variable. */
  readonly inFile?: TypeInFile | undefined;
}

const WHOLE = /^[-+]?\d+$/;
const DAY = 86_400_000;

/**
 * What the type of a column is, by its variable and by its texts, which come batch by batch: cells that were in a file
 * may be none of the variable's.
 */
export class ColumnTyping {
  /** Of a variable whose type is known whatever comes. */
  readonly #fixed: ((fractionDigits: number) => ColumnForm) | null;
  readonly #isRead: (text: string) => boolean;
  /** Whether texts are moments, whose unit is that of the finest. */
  readonly #hasFractions: boolean;
  #fractionDigits = 0;
  #allRead = true;
  readonly #texts: TextForms;

  /** @param mostNumbers numbers that are held to see whether two texts are one of them */
  constructor({ variable, inFile }: TypedBy, mostNumbers = Infinity) {
    this.#texts = new TextForms(mostNumbers);
    this.#isRead = () => false;
    this.#fixed = null;
    this.#hasFractions = false;
    if (inFile !== undefined) {
      const ofFile = new FormInFile(inFile);
      this.#isRead = (text) => ofFile.read(text);
      this.#fixed = () => ofFile.form();
      return;
    }
    if (variable === undefined) return;
    if (variable.kind === 'ordered') {
      const { format } = variable;
      this.#fixed = (fractionDigits) => formOf(variable, fractionDigits);
      this.#hasFractions = format.type === 'date' && format.time !== null;
      this.#isRead = (text) => !Number.isNaN(numberOf(text, format));
    } else if (variable.kind === 'categorical' && variable.others > 0) {
      // labels that were rare in training may come as "(other)"
      this.#fixed = () => asText;
      this.#isRead = () => true;
    } else {
      // cells of a file may spell a label otherwise than the training rows
      for (const label of variable.labels) this.#texts.add(label);
    }
  }

  add(texts: readonly (string | null)[]): void {
    for (const text of texts) {
      if (text === null) continue;
      // cells of a file that are not written as the column's values stay as they are
      if (this.#allRead && !this.#isRead(text)) this.#allRead = false;
      if (this.#hasFractions) this.#fractionDigits = Math.max(this.#fractionDigits, fractionOf(text).length);
      this.#texts.add(text);
    }
  }

  /** In how many further passes all texts have to be {@link look}ed at, before the type is known. */
  get passes(): number {
    return this.#isFixed ? 0 : this.#texts.passes;
  }

  /** The texts again, in one of the passes. */
  look(texts: readonly (string | null)[], pass: number): void {
    this.#texts.look(texts, pass);
  }

  form(): ColumnForm {
    return this.#isFixed ? this.#fixed!(this.#fractionDigits) : this.#texts.form();
  }

  get #isFixed(): boolean {
    return this.#fixed !== null && this.#allRead;
  }
}

const asText: ColumnForm = { type: 'text', valueOf: (text) => text };

/** Which types all texts so far can be of. */
class TextForms {
  #hasAny = false;
  #areBooleans = true;
  #areWhole = true;
  #areNumbers = true;
  /** Whether a number has more digits than would be written of it, unless it is whole. */
  #areRounded = false;
  #areNamesWithAnE = true;
  readonly #first: SpelledTwice;
  /** Of the pass that is under way, or was the last. */
  #again: SpelledTwice | null = null;
  #pass = -1;
  #isFoundAgain = false;

  constructor(private readonly most: number) {
    this.#first = new SpelledTwice(most);
  }

  add(text: string): void {
    this.#hasAny = true;
    if (this.#areBooleans && text !== 'True' && text !== 'False') this.#areBooleans = false;
    if (!this.#areNumbers) return;
    const number = numberFromText(text);
    if (Number.isNaN(number)) {
      this.#areNumbers = false;
      this.#areWhole = false;
      return;
    }
    if (this.#areWhole && !isWholeIn64Bits(text)) this.#areWhole = false;
    if (!this.#areRounded && isRounded(text)) this.#areRounded = true;
    if (this.#areNamesWithAnE && !areNamesWithAnE([text])) this.#areNamesWithAnE = false;
    this.#first.add(number, text);
  }

  get passes(): number {
    const matters = this.#areNumbers && !this.#areWhole && !this.#areBooleans && this.#hasAny;
    return matters && this.#first.isUndecided ? Math.ceil(this.#first.given / this.most) : 0;
  }

  look(texts: readonly (string | null)[], pass: number): void {
    if (this.#again === null || pass !== this.#pass) this.#again = new SpelledTwice(Infinity, pass, this.passes);
    this.#pass = pass;
    for (const text of texts) if (text !== null) this.#again.add(numberFromText(text), text);
    if (this.#again.isFound) this.#isFoundAgain = true;
  }

  form(): ColumnForm {
    if (!this.#hasAny) return asText;
    if (this.#areBooleans) return { type: 'boolean', valueOf: (text) => text === 'True' };
    if (this.#areWhole) return { type: 'whole', valueOf: BigInt };
    // 1.10 beside 1.1 is a name
    const isSpelledTwice = this.#first.isUndecided ? this.#isFoundAgain : this.#first.isFound;
    const areNumbers = this.#areNumbers && !this.#areRounded && !isSpelledTwice && !this.#areNamesWithAnE;
    return areNumbers ? { type: 'number', valueOf: numberFromText } : asText;
  }
}

/**
 * The type of an ordered variable.
 *
 * @param fractionDigits the most that any of its moments has behind the point of its seconds
 */
function formOf({ format, range }: Extract<Variable, { kind: 'ordered' }>, fractionDigits: number): ColumnForm {
  if (format.type === 'number') {
    const isWhole = format.places === 0 && range.every((end) => Math.abs(end) < 2 ** 62);
    return isWhole
      ? { type: 'whole', valueOf: (text) => wholeOf(text, numberOf(text, format)) }
      : { type: 'number', valueOf: (text) => numberOf(text, format) };
  }
  // whole numbers stay such, and a month has no type of its own
  if (isOfWholeNumbers(format)) return { type: 'whole', valueOf: (text) => BigInt(Math.round(Number(text))) };
  if (format.type === 'date' && isOfMonths(format.written)) return asText;
  if (format.type === 'date') {
    const { midnight, time } = format;
    if (time === null && midnight === undefined)
      return { type: 'day', valueOf: (text) => numberOf(text, format) * DAY };
    const zone = time === null ? zoneOf(midnight!) : time.zone;
    // another zone would be lost, and with it how the moments are written
    if (zone !== '' && offsetOf(zone) !== 0) return asText;
    const inSecond = powerOfTen(time?.digits ?? 0);
    const digits = fractionDigits <= 3 ? 3 : fractionDigits <= 6 ? 6 : 9;
    const valueOf = (text: string): bigint =>
      time === null ? BigInt(numberOf(text, format) * DAY) : momentIn(text, numberOf(text, format) / inSecond, digits);
    return { type: 'moment', valueOf, moments: { digits, isUtc: zone !== '' } };
  }
  if (format.type === 'duration') {
    const [type, digits] = format.digits <= 6 ? (['microseconds', 6] as const) : (['nanoseconds', 9] as const);
    return { type, valueOf: (text) => unitsOf(text, format, digits) };
  }
  return asText;
}

const FRACTION = /[.,](\d{1,9})(?!.*[.,]\d)/;

/** Digits of a second behind the point. */
function fractionOf(text: string): string {
  return FRACTION.exec(text)?.[1] ?? '';
}

/**
 * A moment in units of 10^-digits seconds. A double does not hold all nanoseconds since 1970: the fraction is that of
 * the text.
 */
function momentIn(text: string, seconds: number, digits: number): bigint {
  const fraction = fractionOf(text).slice(0, digits).padEnd(digits, '0');
  const whole = Math.round(seconds - Number(`0.${fraction}`));
  return BigInt(whole) * 10n ** BigInt(digits) + BigInt(fraction);
}

/** A duration in units of 10^-digits seconds; whole numbers, since a double does not hold all of them. */
function unitsOf(text: string, format: DurationFormat, digits: number): bigint {
  return BigInt(Math.round(numberOf(text, format))) * 10n ** BigInt(digits - format.digits);
}

function wholeOf(text: string, value: number): bigint {
  return WHOLE.test(text) ? BigInt(text) : BigInt(Math.round(value));
}
