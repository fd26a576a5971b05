import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

/**
 * The images of others that a cluster runs.
 *
 * @param {string} root of the clone
 * @param {string} store
 * @returns {string[]}
 */
export function composeImages(root, store) {
  const files = ['docker-compose.yml', `infra/docker/store-${store}.yml`];
  return files.flatMap((file) => {
    const { services } = parseDocument(readFileSync(join(root, file), 'utf8'), { merge: true }).toJS();
    return Object.values(services).flatMap(({ image, build }) => (build === undefined ? [image] : []));
  });
}
