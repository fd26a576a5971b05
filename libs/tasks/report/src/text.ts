import { decimalsOfNats } from '@orchard/model';

/** Text as HTML: names come from the user's files. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** 50000 as `50 000`, with a thin space that does not break; no locale is asked. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A figure with a true minus sign. */
export function formatFigure(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** Nats for people: four significant digits, and not more than three decimals. */
export function formatNats(value: number): string {
  return formatFigure(value, decimalsOfNats(value));
}

/** A difference of nats, with its sign. */
export function formatNatsGain(value: number): string {
  return formatGain(value, decimalsOfNats(value));
}

/** A difference with its sign: `+1.50`, `−35.10`, and `0.00` without one. */
export function formatGain(value: number, decimals: number): string {
  const text = formatFigure(value, decimals);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** 0.034 as `3.4 %`. */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

/** Nats as bits: 1 / ln 2, written out so that no host function decides the last bit. */
export const BITS_PER_NAT = 1.4426950408889634;

/** The name of a dimension, or its number counted from one where the data has no names. */
export function dimensionLabel(
  dim: number,
  names: readonly string[] | null,
  shape: readonly [number, number] | null,
): string {
  const name = names?.[dim];
  if (name !== undefined) return name;
  if (shape === null) return `dimension ${String(dim + 1)}`;
  return `pixel at row ${String(Math.floor(dim / shape[1]) + 1)}, column ${String((dim % shape[1]) + 1)}`;
}
