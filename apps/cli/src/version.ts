import { readFileSync } from 'node:fs';

/** The version of this installation, as its package says. */
export function installedVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}
