import { DatasetError } from '../../errors.js';
import { advise, sentences, withWord, type OptionWord } from '../../reading/option-words.js';

/** Names that other programs give to encodings, by what the standard of the web calls them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'latin-1': 'windows-1252',
  'utf-8-sig': 'utf-8',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  'mac-roman': 'macintosh',
};

/** What bytes 0x80 to 0x9f are in windows-1252; some releases of Node take them for control characters. */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/** The name of an encoding as the standard of the web has it; null where there is none of that name. */
export function encodingCalled(name: string): string | null {
  const plain = name.trim().toLowerCase().replaceAll('_', '-');
  for (const label of [OTHER_NAMES[plain] ?? plain, name.trim()])
    try {
      return new TextDecoder(label).encoding;
    } catch {
      // called otherwise
    }
  return null;
}

/** The encoding of a text by what was said and its first bytes; null for UTF-8. */
export function encodingOf(head: Uint8Array, said: string | null): string | null {
  if (said !== null) return said === 'utf-8' ? null : said;
  const isLittle = head[0] === 0xff && head[1] === 0xfe;
  // of UTF-32 the mark is longer
  if (isLittle && !(head[2] === 0 && head[3] === 0)) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

/** The beginning of a text in UTF-8, for looking at it. */
export function textHead(head: Uint8Array, said: string | null): Uint8Array {
  const encoding = encodingOf(head, said);
  return encoding === null ? head : Buffer.from(new TextDecoding(encoding).take(head, true));
}

interface DecodingContext {
  readonly name: string;
  readonly syntax: { readonly encoding: string | null };
}

/** A text in UTF-8: as it is, and one in another encoding as it is read. @throws DatasetError with code `encoding` */
export async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  { name, syntax }: DecodingContext,
): AsyncGenerator<Uint8Array, void> {
  let first: Uint8Array | null = new Uint8Array(0);
  let decoding: TextDecoding | null = null;
  let line = 1;
  const take = (chunk: Uint8Array, isLast: boolean): Uint8Array => {
    const text = decoding!.take(chunk, isLast);
    const damage = text.indexOf('\ufffd');
    const whole = damage < 0 ? text : text.slice(0, damage);
    for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', at + 1)) line++;
    if (damage >= 0)
      throw new DatasetError('encoding', {
        got: `bytes that are not ${decoding!.encoding}, as in ${JSON.stringify(text.slice(Math.max(0, damage - 8), damage + 8))}`,
        expected: `text in ${decoding!.encoding}`,
        where: `${name}, line ${line}`,
        remedy: 'Name the encoding that the file was saved in, or save it as UTF-8.',
      });
    return Buffer.from(text);
  };
  for await (const chunk of bytes) {
    if (first === null) {
      yield decoding === null ? chunk : take(chunk, false);
      continue;
    }
    first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
    if (first.length < MARK_BYTES) {
      // the source may fill its chunks again
      first = first.slice();
      continue;
    }
    const encoding = encodingOf(first, syntax.encoding);
    decoding = encoding === null ? null : new TextDecoding(encoding);
    yield decoding === null ? first : take(first, false);
    first = null;
  }
  if (first !== null) {
    const encoding = encodingOf(first, syntax.encoding);
    decoding = encoding === null ? null : new TextDecoding(encoding);
    if (decoding === null && first.length > 0) yield first;
  }
  if (decoding !== null) yield take(first ?? new Uint8Array(0), true);
}

const MARK_BYTES = 4;

class TextDecoding {
  readonly #decoder: InstanceType<typeof TextDecoder>;

  constructor(readonly encoding: string) {
    this.#decoder = new TextDecoder(encoding);
  }

  take(chunk: Uint8Array, isLast: boolean): string {
    const text: string = this.#decoder.decode(chunk, { stream: !isLast });
    if (this.encoding !== 'windows-1252') return text;
    return text.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80]!);
  }
}

/** Encodings that are looked for in bytes that are not UTF-8, the more common first. */
const SINGLE_BYTES = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'koi8-r',
  'windows-1254',
] as const;
const OTHER_BYTES = ['windows-1255', 'windows-1256', 'windows-874', 'macintosh'] as const;
const DOUBLE_BYTES = ['shift_jis', 'euc-jp', 'euc-kr', 'big5', 'gb18030'] as const;
/** Bytes that are looked at, and encodings that are named. */
const MOST_BYTES = 2 ** 16;
const MOST_NAMED = 2;

/** An encoding in which bytes make sense, and a word as it is read then. */
export interface LikelyEncoding {
  readonly encoding: string;
  readonly word: string;
}

/**
 * The encodings in which bytes that are not UTF-8 make most sense, the likeliest first; none where they make no sense.
 */
export function likelyEncodings(bytes: Uint8Array): LikelyEncoding[] {
  const some = bytes.subarray(0, MOST_BYTES);
  const scored = [...DOUBLE_BYTES, ...SINGLE_BYTES, ...OTHER_BYTES].map((encoding, order) => {
    const words = new TextDecoding(encoding).take(some, false).match(/[^\s,;|"'\d]*[^\0-\x7f]+[^\s,;|"'\d]*/g) ?? [];
    const score = words.reduce((sum, word) => sum + plausibility(word), 0) / Math.max(1, words.length);
    return { encoding, order, score, word: words[0] ?? '' };
  });
  scored.sort((one, other) => other.score - one.score || one.order - other.order);
  const found = scored.filter(({ score }) => score >= 0.5 && score >= scored[0]!.score * 0.9);
  // encodings that read the same word are one to those who look at it
  const distinct = found.filter(({ word }, i) => found.findIndex((each) => each.word === word) === i);
  return distinct.slice(0, MOST_NAMED).map(({ encoding, word }) => ({ encoding, word }));
}

/** How much a word looks like one, from 0 to 1. */
function plausibility(word: string): number {
  if (/[\ufffd\u0080-\u009f\ue000-\uf8ff]/.test(word)) return 0;
  const letters = word.replace(/[^\p{L}\p{M}]/gu, '');
  if (letters.length < word.replace(/[-.’'()/&%€£°²³]/g, '').length) return 0.2;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letters))
    return /[A-Za-z]/.test(letters) ? 0.1 : commonCjk(letters);
  const isOne = (script: RegExp): boolean => letters.replace(script, '') === '';
  if (isOne(/[\p{Script=Latin}]/gu)) {
    const plain = letters.replace(/[^A-Za-z]/g, '').length;
    if (!hasWordCase(letters)) return 0.3;
    // of Łódź three letters of four are none of the alphabet
    return 2 * plain >= letters.length ? 1 : 4 * plain >= letters.length ? 0.7 : 0.3;
  }
  const scripts = [
    /[\p{Script=Cyrillic}]/gu,
    /[\p{Script=Greek}]/gu,
    /[\p{Script=Hebrew}\p{M}]/gu,
    /[\p{Script=Arabic}\p{M}]/gu,
  ];
  const isOther = scripts.some(isOne) || isOne(/[\p{Script=Thai}\p{M}]/gu);
  return isOther && hasWordCase(letters) ? 0.95 : 0.2;
}

/** No capital behind a small letter. */
function hasWordCase(letters: string): boolean {
  return !/\p{Ll}\p{Lu}/u.test(letters);
}

/**
 * Of characters of East Asia, the share that is common: kana, Hangul, and the Han characters that most texts are made
 * of.
 */
function commonCjk(letters: string): number {
  const kinds = [/\p{Script=Hangul}/u, /[\p{Script=Hiragana}\p{Script=Katakana}]/u].filter((kind) =>
    kind.test(letters),
  );
  if (kinds.length === 2) return 0.3;
  let common = 0;
  let all = 0;
  for (const letter of letters) {
    all++;
    // katakana of half the width are what bytes of other encodings look like
    if (/[\uff61-\uff9f]/.test(letter)) common += 0.25;
    else if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)) common++;
    else if ((/\p{Script=Hangul}/u.test(letter) ? COMMON_HANGUL : COMMON_HAN).includes(letter)) common++;
  }
  return 0.6 + 0.4 * (common / all);
}

/** Han characters that are frequent in tables: numbers, places, directions, names, times, money. */
const COMMON_HAN =
  '的一是不了人在有我他这這中大来來上国國个個到说說们們为為子和你地出道也时時年得就那要下以生会會自着去之过過家学學对對可里裡后後小么心多天而能好都然没沒日于於起还還发發成事只作当當想看文无無开開手十用主行方又如前所本见見经經头頭面公同三已老从從动動两兩长長市区區县縣省州府京都北南东東西海江河山城名姓男女金元月号號高台臺湾灣民新店商品价價数數量地址电電话話林王李张張陈陳刘劉黄黃吴吳周徐孙孫馬马胡朱郭何罗羅日本語英田村木藤佐鈴橋川井上原口松竹森池石島福岡阪神戸';

/** Syllables that are frequent in Korean. */
const COMMON_HANGUL =
  '가각간감강개거건게격결경계고공과관광교구국군권규그금기길김나남내년노논다단달대도동되두들등디라람래량로료류륜르름리림마만말면명모목무문물미민바박반방백번법보본부북분비빈사산상새생서석선설성세소속송수순술스시식신실심아안암양어업에여역연영예오옥온완왕요용우운울원월위유윤은을음의이인일임입자장재전점정제조주중지직진차창채천철청체초총최추출충치카코타태택터토통파판평포표품프하학한해행향허현형호홍화환황회효후';

/** What to do about bytes that are not UTF-8. */
export function encodingRemedy(found: readonly LikelyEncoding[], wordFor: OptionWord<'encoding'>): string {
  const named = found.map(({ encoding, word }) => `${encoding} (${JSON.stringify(word)})`).join(' or ');
  const way = named === '' ? 'say which encoding it has' : `say its encoding, which seems to be ${named}`;
  const said = wordFor('encoding') === null ? null : withWord(wordFor, `Or ${way}`, 'encoding');
  return sentences('Save the file as UTF-8 (as "CSV UTF-8")', said);
}

/** What to do about UTF-16 that does not say so. */
export function markRemedy(encoding: string, wordFor: OptionWord<'encoding'>): string {
  return sentences(
    'Save the file as UTF-8 (as "CSV UTF-8")',
    advise(wordFor, `Or say that it is ${encoding}`, 'encoding'),
  );
}
