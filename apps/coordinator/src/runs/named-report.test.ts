import { isWholePage, sealedPage } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { namedReport } from './named-report.js';

const head = '<title>A table of 8 variables · Orchard</title>';
const body = '<h1>A table of 8 variables</h1><p class="lead">Grown on 40 rows.</p>';
const stored = Buffer.from(sealedPage(`<html>${head}${body}</html>\n`));

test('a report is called by its run, whatever the name holds, and is sealed again', () => {
  const page = Buffer.from(namedReport(stored, 'rentals <b> & $& "May".csv'));
  const title = 'rentals &lt;b&gt; &amp; $&amp; &quot;May&quot;.csv';
  expect(page.toString()).toContain(`<title>${title} · Orchard</title>`);
  expect(page.toString()).toContain(`<h1>${title}</h1><p class="lead">A table of 8 variables. Grown on 40 rows.</p>`);
  expect(isWholePage(page)).toBe(true);
});

test('a page that is damaged, sealed by no release or of another form goes out as it is', () => {
  for (const page of [stored.subarray(3), Buffer.from('<h1>a</h1><p class="lead">b</p></html>\n'), Buffer.from('x')])
    expect(namedReport(page, 'rentals.csv')).toBe(page);
});
