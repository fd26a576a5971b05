import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly private?: boolean;
};

/** The version of this installation, as its package says. */
export const installedVersion = manifest.version;

/**
 * How this program is called where people read what to type next: the clone's package is private, what npm installs is
 * not.
 */
export const ownCommand = manifest.private === true ? 'npm run -s orchard --' : 'orchard';
