// Links of the built site that lead nowhere: files that are not there, and anchors that their page has not.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const base = process.env.ORCHARD_DOCS_BASE ?? '/';

/** @param {string} folder of the built site */
export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true }).filter(
    (name) => name.endsWith('.html') && name !== '404.html',
  );
  const read = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const anchors = new Map([...read].map(([page, text]) => [page, anchorsOf(text)]));
  return [...read].flatMap(([page, text]) =>
    linksOf(text)
      .filter((link) => !isThere(link, page, folder, anchors))
      .map((link) => ({ page, link })),
  );
}

const linksOf = (html) => [...new Set([...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, link]) => link))];
const anchorsOf = (html) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));

function isThere(link, page, folder, anchors) {
  if (/^(https?:|mailto:|data:)/.test(link)) return true;
  const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${base}${page}`);
  if (!pathname.startsWith(base)) return false;
  const path = decodeURIComponent(pathname.slice(base.length));
  const candidates = [path, `${path}.html`, join(path, 'index.html')];
  const found = candidates.find((one) => existsSync(join(folder, one)) && statSync(join(folder, one)).isFile());
  if (found === undefined) return false;
  const id = decodeURIComponent(hash.slice(1));
  return id === '' || anchors.get(relative(folder, join(folder, found)))?.has(id) === true;
}
