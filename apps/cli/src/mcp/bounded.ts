/** What was left out of a document, by where it stood in it. */
export interface Cut {
  readonly where: string;
  readonly shown: number;
  readonly of: number;
}

/** Characters of a text that are shown even where there is room for fewer. */
const LEAST_TEXT = 40;

/**
 * A document of about `most` characters of JSON: small parts whole, the largest lists and texts without their ends.
 *
 * @returns the document, and what is not in it
 */
export function bounded(document: unknown, most: number): { readonly shown: unknown; readonly cut: readonly Cut[] } {
  const cut: Cut[] = [];
  return { shown: limited(document, most, '', cut), cut };
}

const sizeOf = (value: unknown): number => (JSON.stringify(value) ?? '').length;

function limited(value: unknown, most: number, where: string, cut: Cut[]): unknown {
  if (sizeOf(value) <= most) return value;
  if (typeof value === 'string') {
    const shown = Math.max(LEAST_TEXT, most - 2);
    if (value.length <= shown) return value;
    cut.push({ where, shown, of: value.length });
    return `${value.slice(0, shown)}…`;
  }
  if (Array.isArray(value)) return beginningOf(value as unknown[], most, where, cut);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const room = roomFor(
    entries.map(([name, own]) => name.length + 4 + sizeOf(own)),
    most,
  );
  return Object.fromEntries(
    entries.map(([name, own], at) => [
      name,
      limited(own, room[at]! - name.length - 4, where === '' ? name : `${where}.${name}`, cut),
    ]),
  );
}

/** As many items as there is room for; one that alone is too large is cut itself. */
function beginningOf(list: readonly unknown[], most: number, where: string, cut: Cut[]): unknown[] {
  const shown: unknown[] = [];
  let size = 2;
  for (const item of list) {
    const own = sizeOf(item) + 1;
    if (size + own > most && shown.length > 0) break;
    shown.push(limited(item, most - size, `${where}[${String(shown.length)}]`, cut));
    size += own;
  }
  if (shown.length < list.length) cut.push({ where, shown: shown.length, of: list.length });
  return shown;
}

/** Room for each of several parts: all that the small ones need, and what is left in equal shares for the others. */
function roomFor(sizes: readonly number[], most: number): number[] {
  const bySize = sizes.map((size, at) => ({ size, at })).sort((a, b) => a.size - b.size);
  const room = new Array<number>(sizes.length).fill(0);
  let left = most;
  bySize.forEach(({ size, at }, before) => {
    room[at] = Math.min(size, Math.floor(left / (bySize.length - before)));
    left -= room[at];
  });
  return room;
}
