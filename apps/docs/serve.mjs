// npm run docs: builds the site, then serves it on this machine until Ctrl-C. Scripts of the pages need an address: a
// browser runs no modules of a file.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @type {Readonly<Record<string, string>>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * The file of an address: of a folder its index, of a page without an ending its HTML; null where there is none.
 *
 * @param {string} site
 * @param {string} address
 */
export function fileOf(site, address) {
  let path;
  try {
    path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
  } catch {
    return null;
  }
  const file = join(site, normalize(`/${path}`));
  for (const found of [file, `${file}.html`, join(file, 'index.html')])
    if (existsSync(found) && statSync(found).isFile()) return found;
  return null;
}

/**
 * Serves the built site on a free port.
 *
 * @param {string} site
 * @param {number} port 0 for a free one
 */
export async function serveSite(site, port = 0) {
  const server = createServer(({ url = '/' }, response) => {
    const found = fileOf(site, url);
    const file = found ?? join(site, '404.html');
    response.writeHead(found === null ? 404 : 200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { address: `http://localhost:${address.port}/`, close: () => server.close() };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const made = spawnSync(process.execPath, [nx, 'run', '@orchard/docs:docs', '--outputStyle=static'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (made.status !== 0) process.exit(made.status ?? 1);
  const { address } = await serveSite(fileURLToPath(new URL('dist', import.meta.url)));
  console.log(`The site is at ${address} (Ctrl-C ends it).`);
}
