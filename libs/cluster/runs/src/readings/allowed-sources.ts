import { personOf, type Submitter } from '@orchard/contracts';
import { Refusal } from '@orchard/refusal';

/** A place in a bucket that workers may read for a user. */
export interface AllowedSource {
  /** `s3://bucket/`, or a folder of it: ends with a slash, or is the address of one object. */
  readonly place: string;
  /** Names of tokens, subjects of the issuer's users behind `oidc:`, roles behind `role:`; null for every submitter. */
  readonly people: readonly string[] | null;
}

/** Who asks, as far as a rule may name it. */
export interface Asker extends Submitter {
  readonly role: string | null;
}

/**
 * Reads `ORCHARD_SOURCES`: places, each perhaps with those who may have it read, separated by white space:
 * `s3://lake/public/ s3://lake/hr/=alice,role:admin`.
 *
 * @throws Refusal `invalid-configuration`
 */
export function parseSources(text: string): readonly AllowedSource[] {
  return text
    .split(/\s+/)
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      const [, place = '', people] =
        /^(s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[^=*?[{\s]*)?)(?:=([^=\s]+))?$/.exec(entry) ?? [];
      if (place !== '') {
        const isBucket = !place.slice('s3://'.length).includes('/');
        return {
          place: isBucket ? `${place}/` : place,
          people: people?.split(',').filter((one) => one !== '') ?? null,
        };
      }
      throw new Refusal('invalid-configuration', {
        got: 'another form',
        expected: 's3://bucket/folder/, perhaps with =alice,role:admin behind it',
        where: `ORCHARD_SOURCES, entry ${String(index + 1)}`,
        remedy: 'Correct the entry.',
      });
    });
}

/**
 * That a source lies where this cluster may read for that person.
 *
 * @param asker null for a worker, which reads for all
 * @throws Refusal `denied-source`
 */
export function requireAllowed(allowed: readonly AllowedSource[], source: string, asker: Asker | null): void {
  const places = allowed.filter(({ place }) => isWithin(source, place));
  if (asker === null ? places.length > 0 : places.some(({ people }) => isFor(people, asker))) return;
  const got = asker === null ? source : `${source}, for ${JSON.stringify(asker.name)}`;
  const none = allowed.length === 0;
  throw new Refusal('denied-source', {
    got,
    expected: none
      ? 'a cluster that reads buckets by reference: this one reads none'
      : places.length > 0
        ? 'a place that you may have read'
        : `a place that ${asker === null ? 'this worker' : 'this cluster'} reads`,
    where: 'source',
    remedy: `Ask the administrator to ${none ? 'set' : 'name it in'} ORCHARD_SOURCES of coordinator and workers, or submit a copy on this machine.`,
  });
}

/** All that an address stands for begins with what it says before its first sign of a glob. */
function isWithin(source: string, place: string): boolean {
  const sign = source.search(/[*?[{]/);
  const sure = sign < 0 ? source : source.slice(0, sign);
  return sure.startsWith(place.endsWith('/') ? place : `${place}/`) || source === place;
}

function isFor(people: readonly string[] | null, asker: Asker): boolean {
  if (people === null) return true;
  // a name of the issuer's users may be anybody's choice: only their subject counts
  const names = [...(asker.way === 'oidc' ? [personOf(asker)] : [asker.name]), `role:${String(asker.role)}`];
  return people.some((one) => names.includes(one));
}
