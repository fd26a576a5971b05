/**
 * Where a release goes. All of it follows from `repository` of package.json, the one place that says where this project
 * lives.
 *
 * @param {{ repository?: string | { url: string } | undefined, version: string }} manifest
 * @param {{ repository: string, tag: string }} built - what a workflow runs for
 * @returns {{ version: string, images: string, charts: string }}
 * @throws {Error} where both disagree
 */
export function addressesOf({ repository, version }, built) {
  const address = typeof repository === 'string' ? repository : repository?.url;
  if (address === undefined) {
    throw new Error('package.json has no repository. Write it there: images, chart and provenance are named after it.');
  }
  const name = /github\.com[/:]([^/]+\/[^/]+?)(?:\.git)?$/.exec(address)?.[1];
  if (name === undefined) {
    throw new Error(`got the repository ${address}, expected one of github.com, whose registry the images go to.`);
  }
  if (built.repository !== name) {
    throw new Error(
      `this is ${built.repository}, package.json says ${name}. A fork publishes under a name of its own.`,
    );
  }
  if (built.tag !== `v${version}`) {
    throw new Error(
      `got the tag ${built.tag}, expected v${version}, the version of the packages. nx release makes both.`,
    );
  }
  // names in a registry are of small letters
  const images = `ghcr.io/${name.toLowerCase()}`;
  return { version, images, charts: `${images}/charts` };
}
