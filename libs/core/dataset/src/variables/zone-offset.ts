/** `Z`, `+01:00`, `+0100`; and as databases write them, ` UTC`, `+00`, ` +0000 UTC`. */
export const OFFSET = String.raw` ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?(?: UTC)?)`;
const ZONE = new RegExp(`^(?:${OFFSET})?$`);

/** Whether a text may stand for the zone behind a time: `Z`, `+01:00` or nothing. */
export function isZone(text: string): boolean {
  return ZONE.test(text);
}

/** Seconds that a zone is ahead of UTC. */
export function offsetOf(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)?/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}
