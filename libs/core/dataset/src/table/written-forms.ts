import type { OrderedFormat } from '@orchard/contracts';
import { commonDateFormat, dateFormatOf } from '../variables/date-format.js';
import { midnightOf } from '../variables/midnight.js';
import { decimalsOf } from '../variables/number-format.js';
import { readClock } from '../variables/written-clock.js';
import { isOfMonths, readWrittenDay, type WrittenDay } from '../variables/written-date.js';
import { readWrittenNumber, type WrittenNumber } from '../variables/written-number.js';

/** Which of day and month comes first where dates do not show it. */
export type DayOrder = 'dmy' | 'mdy';

/** A way in which some cells of a column are written, that are neither plain numbers nor dates as 2025-04-03. */
export interface WrittenForm {
  /** Rows with cells that are written so. */
  rows: number;
  /** A cell that is, and what it is read as. */
  readonly example: string;
  readonly means: string;
  format: OrderedFormat;
  /** What stands behind the day where every date so far is a midnight that is written so; null where one is none. */
  midnight: string | null;
}

/** The format of cells that are written so: days, where all of them are midnights. */
export function formatOfForm({ format, midnight }: WrittenForm): OrderedFormat {
  return format.type === 'date' && midnight !== null ? { ...format, time: null, midnight } : format;
}

/** Distinct texts after which a column that has hardly any form is not looked at any more. */
const TRIED = 256;
const LONGEST = 40;
const DIGIT = /\d/;

/** The ways in which the texts of a column may be written as numbers or dates. */
export class WrittenForms {
  readonly #forms = new Map<string, WrittenForm>();
  #tried = 0;
  #found = 0;

  /** The forms of a text, each once; their rows are counted by who asks. */
  of(text: string): readonly WrittenForm[] {
    if (text.length > LONGEST || (this.#tried >= TRIED && this.#found * 4 < this.#tried)) return [];
    this.#tried++;
    if (!DIGIT.test(text)) return [];
    const days = readWrittenDay(text);
    const forms = days.length > 0 ? days.map((day) => this.#day(day, text)) : this.#numbers(text);
    const found = forms.filter((form) => form !== null);
    if (found.length > 0) this.#found++;
    return found;
  }

  /**
   * The form of most cells: null where there is none.
   *
   * @param order of day and month, where both are possible
   * @param isLikely whether the cells can be in a form. @default in each
   */
  most(
    order: DayOrder | undefined,
    isLikely: (form: WrittenForm) => boolean = () => true,
  ): { readonly form: WrittenForm; readonly isEither: boolean } | null {
    const forms = [...this.#forms.entries()].filter(([, form]) => isLikely(form));
    const rows = forms.reduce((most, [, form]) => Math.max(most, form.rows), 0);
    const best = forms.filter(([, form]) => form.rows === rows && rows > 0);
    if (best.length === 0) return null;
    const isEither = best.length > 1 && best.every(([key]) => key.startsWith('day '));
    // a point between is how days stand first, a slash how months do
    const usual = order ?? (best.some(([key]) => key.startsWith('day mdy /')) ? 'mdy' : 'dmy');
    const chosen = isEither ? best.find(([key]) => key.startsWith(`day ${usual}`)) : best[0];
    return { form: (chosen ?? best[0]!)[1], isEither };
  }

  #day({ written, iso }: WrittenDay, text: string): WrittenForm | null {
    const format = dateFormatOf(iso);
    if (format === null) return null;
    const month = written.month === 'number' ? 'number' : 'word';
    const key = `day ${written.order} ${written.separator} ${month} ${written.shortYear === true ? 'short' : 'long'}`;
    const known = this.#forms.get(key);
    const means = isOfMonths(written) ? iso.slice(0, '2025-04'.length) : readClock(iso).text;
    const midnight = midnightOf(text);
    if (known === undefined) return this.#add(key, text, means, { ...format, written }, midnight);
    if (known.format.type !== 'date' || known.format.written === undefined) return null;
    const common = commonDateFormat(known.format, format);
    if (common === null) return null;
    if (known.midnight !== midnight) known.midnight = null;
    const before = known.format.written;
    const padded = before.padded && written.padded;
    const word = before.month === 'long' || written.month === 'long' ? 'long' : written.month;
    const { letters, ...own } = before;
    const alike = letters !== undefined && letters === written.letters ? { letters } : {};
    known.format = { type: 'date', time: common.time, written: { ...own, padded, month: word, ...alike } };
    return known;
  }

  #numbers(text: string): readonly (WrittenForm | null)[] {
    return (['.', ','] as const).map((point) => {
      const read = readWrittenNumber(text, point);
      return read === null ? null : this.#number(read, point, text);
    });
  }

  #number(read: WrittenNumber, point: '.' | ',', text: string): WrittenForm | null {
    const { prefix, suffix, thousands, decimals, number } = read;
    const bracketed = read.isBracketed ? { bracketed: true as const } : {};
    const key = `number ${point} ${prefix} ${suffix}`;
    const places = decimalsOf(number);
    const known = this.#forms.get(key);
    if (known === undefined) {
      const written = { prefix, suffix, thousands, point, ...bracketed };
      return this.#add(key, text, String(number), { type: 'number', decimals, places, padded: true, written });
    }
    const { format } = known;
    if (format.type !== 'number' || format.written === undefined) return null;
    const before = format.written;
    if (thousands !== '' && before.thousands !== '' && thousands !== before.thousands) return null;
    known.format = {
      type: 'number',
      decimals: Math.max(format.decimals, decimals),
      places: Math.max(format.places, places),
      padded: format.padded && format.decimals === decimals,
      written: { ...before, thousands: before.thousands || thousands, ...bracketed },
    };
    return known;
  }

  #add(
    key: string,
    example: string,
    means: string,
    format: OrderedFormat,
    midnight: string | null = null,
  ): WrittenForm {
    const form = { rows: 0, example, means, format, midnight };
    this.#forms.set(key, form);
    return form;
  }
}
