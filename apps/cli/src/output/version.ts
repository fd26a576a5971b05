import { existsSync, readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly private?: boolean;
}

const manifest = manifestAbove(new URL('package.json', import.meta.url));

/** The version of this installation, as its package says. */
export const installedVersion = manifest.version;

/**
 * How this program is called where people read what to type next: the clone's package is private, what npm installs is
 * not.
 */
export const ownCommand = manifest.private === true ? 'npm run -s orchard --' : 'orchard';

/** What the package of this file says of itself: sources lie deeper in it than what is built of them. */
function manifestAbove(place: URL): Manifest {
  if (existsSync(place)) return JSON.parse(readFileSync(place, 'utf8')) as Manifest;
  return manifestAbove(new URL('../package.json', place));
}
