import { isWholePage, PAGE_SEAL_BYTES, sealedPage } from '@orchard/contracts';

/**
 * A report with the name of its run as its title, and what stood there before its lead. What is stored is the same for
 * every run of the same data and options, whatever people call it, so the name is put in on the way out. A page of
 * another form goes out as it is.
 */
export function namedReport(stored: Uint8Array, name: string): Uint8Array {
  const text = Buffer.from(stored).toString('utf8');
  const heading = /<h1>([^<]*)<\/h1><p class="lead">/.exec(text);
  if (heading === null || !isWholePage(stored) || text.endsWith('</html>\n')) return stored;
  const [found, kind = ''] = heading;
  const title = escaped(name);
  const page = text
    .slice(0, -PAGE_SEAL_BYTES)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${title} · Orchard</title>`)
    .replace(found, () => `<h1>${title}</h1><p class="lead">${kind}. `);
  return Buffer.from(sealedPage(page), 'utf8');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
