import { describe, expect, it } from 'vitest';
import { exampleFacts } from './example-facts.suite.js';
import { renderReport } from './render-report.js';

describe('the warnings of a report', () => {
  it('stand before the figures that they are about, as text', () => {
    const page = renderReport(exampleFacts('named', { warnings: ['3 rows <validate>.', 'T is too small.'] }));
    expect(page).toContain('<h2>Warnings</h2><ul><li>3 rows &#60;validate&#62;.</li><li>T is too small.</li></ul>');
    expect(page.indexOf('<h2>Warnings')).toBeLessThan(page.indexOf('<h2>Four ways'));
  });

  it('are no section where there are none', () => {
    expect(renderReport(exampleFacts('named'))).not.toMatch(/<section class="warnings"|>A warning/);
  });
});
