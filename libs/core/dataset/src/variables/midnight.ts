import { OFFSET } from './zone-offset.js';

/** Behind a day, as programs write midnight: `T00:00:00`, ` 00:00:00.000`, ` 0:00`, ` 12:00 AM`, `T00:00:00Z`. */
const MIDNIGHT = new RegExp(String.raw`[T ](?:0?0:00(?::00(?:[.,]0{1,9})?)?|12:00(?::00)? ?(?:AM|am))(?:${OFFSET})?$`);
const BEHIND_ZONE = new RegExp(`${OFFSET}$`);

/** What stands behind the day of a text that is a midnight; null of any other. */
export function midnightOf(text: string): string | null {
  return MIDNIGHT.exec(text)?.[0] ?? null;
}

/** The day of a midnight, however it is written; any other text as it is. */
export function withoutMidnight(text: string): string {
  return text.replace(MIDNIGHT, '');
}

/** Whether a text may stand behind days. */
export function isMidnight(text: unknown): text is string {
  return typeof text === 'string' && midnightOf(text) === text;
}

/** The time zone behind a midnight; '' without one. */
export function zoneOf(midnight: string): string {
  return BEHIND_ZONE.exec(midnight)?.[0] ?? '';
}
