import ts from 'typescript';

/** Phrases that plain English has a better word for, and that word. */
const BANNED = [
  [/\btold\b/gi, 'given, reported, shown'],
  [/\bwhoever\b/gi, 'the person or program by name: user, worker, client'],
  [/\bnobody\b/gi, 'no user, no worker, none'],
  [/\bsomebody\b/gi, 'a user, another worker'],
  [/\bholes?\b/gi, 'missing value'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b|less\b|better\b)/gi, 'is not a, has no'],
  [/\bnats an? (?:held-out |test |validation )?(?:row|cell|column|value)\b/gi, 'nats per row'],
  [/\bin the place of\b/gi, 'instead of'],
  [/\b(?:go|goes|going|gone|went) on with\b/gi, 'continue'],
  [/\bdrawn rows?\b/gi, 'sampled rows'],
  [/\bodd(?:est)? rows?\b/gi, 'outlier'],
  [/\bwhat goes with what\b/gi, 'dependence'],
];

const LONGEST_LINE = 120;
const LONGEST_CELL = 60;
const LONGEST_SENTENCE = 40;

/** What is said in a text that should not be. */
export function bannedIn(text) {
  return BANNED.flatMap(([pattern, better]) =>
    [...text.matchAll(pattern)].map(([found]) => `"${found.trim()}": write ${better}`),
  );
}

const isTableLine = (line) => /^\s*\|/.test(line);

/** A page's lines outside blocks of code, each with its number. */
function linesOutsideCode(text) {
  let isCode = false;
  return text.split('\n').flatMap((line, at) => {
    const fence = /^\s*```/.test(line);
    if (fence) isCode = !isCode;
    return fence || isCode ? [] : [{ line, number: at + 1 }];
  });
}

const withoutCode = (line) => line.replace(/`[^`]*`/g, '`').replace(/\]\([^)]*\)/g, ']');

/** Sentences of a page's prose: of paragraphs and items of lists, without headings, tables and code. */
function sentencesOf(lines) {
  const blocks = [''];
  for (const { line } of lines) {
    if (line.trim() === '' || /^\s*(#|\||!\[)/.test(line)) blocks.push('');
    else if (/^\s*([-*]|\d+\.) /.test(line)) blocks.push(line.replace(/^\s*([-*]|\d+\.) /, ''));
    else if (/^ {4}\S/.test(line) && blocks.at(-1) === '') continue;
    else blocks.push(`${blocks.pop()} ${line.trim()}`);
  }
  return blocks.flatMap((block) => withoutCode(block).split(/(?<=[.!?:;])\*{0,2}\s+(?=["(*`[A-Z0-9])/));
}

/**
 * Everything that words.md's rules find on a page. `limits` says which apply: `readme`, and how many lines there may
 * be.
 */
export function problemsOfPage(text, { isReadme = false, mostLines = Infinity } = {}) {
  const lines = linesOutsideCode(text);
  const problems = [];
  for (const { line, number } of lines) {
    if (isTableLine(line)) {
      const cells = isReadme ? line.split(/(?<!\\)\|/).map((cell) => cell.trim()) : [];
      for (const cell of cells)
        if (cell.length > LONGEST_CELL && !/^:?-+:?$/.test(cell))
          problems.push(`line ${number}: a table cell of ${cell.length} characters, at most ${LONGEST_CELL}`);
    } else if (line.length > LONGEST_LINE && line.trim().includes(' ') && !/\S{80}/.test(line)) {
      problems.push(`line ${number}: ${line.length} characters, at most ${LONGEST_LINE}`);
    }
  }
  const count = text.trimEnd().split('\n').length;
  if (count > mostLines) problems.push(`${count} lines, at most ${mostLines}`);
  if (!isReadme) return problems;
  for (const { line, number } of lines)
    for (const found of bannedIn(withoutCode(line))) problems.push(`line ${number}: ${found}`);
  for (const sentence of sentencesOf(lines)) {
    const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    if (words > LONGEST_SENTENCE)
      problems.push(`a sentence of ${words} words, at most ${LONGEST_SENTENCE}: ${sentence.trim().slice(0, 60)}…`);
  }
  return problems;
}

/** Everything that words.md's rules find in a source file: in what it may show to people, and in its comments. */
export function problemsOfSource(text, isJsx = false) {
  return [...problemsOfStrings(text, isJsx), ...problemsOfComments(text)];
}

/** Of comments that have lines of their own. */
function problemsOfComments(text) {
  return text.split('\n').flatMap((line, at) => {
    if (!/^\s*(\/\/|\/?\*)/.test(line)) return [];
    const prose = withoutCode(line).replace(/\{@link[^}]*\}/g, '');
    const isLong = line.length > LONGEST_LINE && !/^\s*\* \||\S{80}/.test(line);
    const problems = isLong ? [`${line.length} characters, at most ${LONGEST_LINE}`] : [];
    return [...problems, ...bannedIn(prose)].map((problem) => `line ${at + 1}: ${problem}`);
  });
}

/** Banned phrases in strings and templates. */
function problemsOfStrings(text, isJsx) {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    true,
    isJsx ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard,
    text,
  );
  const problems = [];
  const open = []; // of each open brace, whether it belongs to a template
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.OpenBraceToken) open.push(false);
    else if (kind === ts.SyntaxKind.TemplateHead) open.push(true);
    else if (kind === ts.SyntaxKind.CloseBraceToken && open.pop()) {
      kind = scanner.reScanTemplateToken(false);
      if (kind === ts.SyntaxKind.TemplateMiddle) open.push(true);
    }
    const isText =
      kind === ts.SyntaxKind.StringLiteral ||
      (kind >= ts.SyntaxKind.NoSubstitutionTemplateLiteral && kind <= ts.SyntaxKind.TemplateTail);
    if (!isText) continue;
    const line = text.slice(0, scanner.getTokenStart()).split('\n').length;
    for (const found of bannedIn(scanner.getTokenValue())) problems.push(`line ${line}: ${found}`);
  }
  return problems;
}
