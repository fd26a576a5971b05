/**
 * How finely the form of a text is looked at, the finest first: every character; its words, between numbers of any
 * length; runs of letters as one; runs of digits too; which classes of characters there are at all.
 */
export const FINENESSES = ['characters', 'words', 'digits', 'runs', 'classes'] as const;
export type Fineness = (typeof FINENESSES)[number];

/** What is read of a text: the form of the beginning stands for all. */
const LONGEST = 256;

/**
 * The classes of characters by which forms are written: `A` and `a` for letters, `9` for digits, any other character
 * for itself.
 */
function classOf(character: string): string {
  if (/\p{Nd}/u.test(character)) return '9';
  if (/\p{Lu}/u.test(character)) return 'A';
  if (/\p{L}/u.test(character)) return 'a';
  return /\s/u.test(character) ? ' ' : character;
}

/** The classes of a text's characters, one after another. */
export function classesOf(text: string): readonly string[] {
  return Array.from(text.slice(0, LONGEST), classOf);
}

/**
 * The form of a text: `1720 Main St` is `9999 Aaaa Aa`, `9+ Main St`, `9999 A+a+ A+a+`, `9+ A+a+ A+a+` or `␣9Aa`.
 *
 * @param classes of the text's characters (`classesOf`)
 */
export function formOf(text: string, classes: readonly string[], fineness: Fineness): string {
  if (fineness === 'words') return text.slice(0, LONGEST).replace(/\p{Nd}+/gu, '9+');
  if (fineness === 'characters') return classes.join('');
  if (fineness === 'classes') return [...new Set(classes)].sort().join('').replace(' ', '␣');
  const isRun = fineness === 'runs' ? /[Aa9]/ : /[Aa]/;
  return classes.reduce((form, each, at) => {
    if (!isRun.test(each)) return form + each;
    return each === classes[at - 1] ? form : `${form}${each}+`;
  }, '');
}
