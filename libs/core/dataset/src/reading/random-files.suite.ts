/** A file of rows as people have them, warts included. */
export interface RandomFile {
  readonly name: string;
  readonly text: string;
}

/** The same files each time: what was read of them is kept in `random-files.txt`, a digest a line. */
export function randomFiles(count: number): RandomFile[] {
  let state = 7;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = <Each>(list: readonly Each[]): Each => list[Math.floor(next() * list.length)]!;
  const cells: readonly (() => string)[] = [
    () => pick(['0', '1']),
    () => pick(['0', '1']),
    () => pick(['0', '1', '1.0', '0.0']),
    () => pick(['yes', 'no', '?']),
    () => String(Math.floor(next() * 90)),
    () => (next() * 100 - 50).toFixed(2),
    () => pick(['Kiel', 'Lund', 'Århus', 'a "b"', 'x,y', '']),
    () => `2026-0${1 + Math.floor(next() * 9)}-1${Math.floor(next() * 10)}`,
    () => pick(['NA', '1', '0']),
    () => ` ${Math.floor(next() * 9)} `,
    () => pick(['1e3', '.5', '7.', '+3', '-0', '007']),
    () => pick(['08:30', '23:59']),
    () => pick(['0', '1', 'true']),
    () => `t${Math.floor(next() * 1e6)}`,
    () => String(Math.floor(next() * 1e17) * 10),
    () => 'line\nend',
  ];
  const delimited = (): string => {
    const isOfBits = next() < 0.4;
    const width = 1 + Math.floor(next() * 5);
    const rows = 1 + Math.floor(next() * 30);
    const columns = Array.from({ length: width }, () =>
      isOfBits ? (next() < 0.93 ? cells[0]! : cells[2]!) : pick(cells),
    );
    const delimiter = pick([',', ',', ',', ';', '\t', '|', ' ']);
    const lineEnd = pick(['\n', '\n', '\n', '\r\n', '\r']);
    const quoted = (text: string): string =>
      /[",\r\n;\t|]/.test(text) || next() < 0.05 ? `"${text.replaceAll('"', '""')}"` : text;
    const lines: string[] = [];
    const nameOf = (column: number): string =>
      pick([`c${column}`, `c${column}`, `c${column}`, `Name ${column}`, String(column), 'c', '']);
    if (next() < 0.6) lines.push(columns.map((_, column) => quoted(nameOf(column))).join(delimiter));
    for (let row = 0; row < rows; row++) lines.push(columns.map((cell) => quoted(cell())).join(delimiter));
    if (next() < 0.05) lines.splice(Math.floor(next() * lines.length), 0, '');
    if (next() < 0.05) lines[Math.floor(next() * lines.length)]! += `${delimiter}1`;
    if (next() < 0.05) lines.push('', '');
    return (next() < 0.05 ? '\ufeff' : '') + lines.join(lineEnd) + (next() < 0.8 ? lineEnd : '');
  };
  const sparse = (): string => {
    const rows = 1 + Math.floor(next() * 9);
    const row = (): string => {
      const label = pick(['', '1', '-1']);
      const pairs = [1, 2, 5, 9]
        .filter(() => next() < 0.6)
        .map((index) => `${index}:${next() < 0.9 ? 1 : pick(['0', '0.5', 'nan'])}`);
      return [label, ...pairs].filter((part) => part !== '').join(' ');
    };
    return `${Array.from({ length: rows }, row).join('\n')}\n`;
  };
  return Array.from({ length: count }, () => {
    const isSparse = next() < 0.08;
    const text = isSparse ? sparse() : delimited();
    return { text, name: isSparse ? 'x.svm' : pick(['x.csv', 'x.csv', 'x.csv', 'x.txt', 'x.tsv']) };
  });
}
