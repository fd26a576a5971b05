/** Text as man pages have it: what roff would obey is made to be shown. */
export function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

export const bold = (text: string): string => `\\fB${roff(text)}\\fR`;

/** `--out <file>` with what people put in its place in italics. */
export function flagsOf(flags: string): string {
  const parts = flags.split(/(\s+|<[^>]*>|\[[^\]]*\])/).filter((part) => part !== '');
  return parts
    .map((part) => (/^\s/.test(part) ? part : /^[<[]/.test(part) ? `\\fI${roff(part)}\\fR` : bold(part)))
    .join('');
}

export const heading = (title: string): string => `.SH ${title.toUpperCase()}`;

export const subheading = (title: string): string => `.SS ${roff(title)}`;

/** One entry of a list: what it is about, and what is said of it. */
export const entry = (head: string, said: string): string => `.TP\n${head}\n${said === '' ? '\\&' : roff(said)}`;

/** Lines as they are. */
export const verbatim = (text: string): string => `.nf\n.RS 2\n${roff(text)}\n.RE\n.fi`;
