import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { exampleFacts } from './example-facts.suite.js';
import { renderReport } from './render-report.js';

describe('renderReport', () => {
  it('writes the same bytes for the same facts, in whatever order pages are written', () => {
    const first = renderReport(exampleFacts('image'));
    renderReport(exampleFacts('named'));
    expect(renderReport(exampleFacts('image'))).toBe(first);
  });

  it.each(['image', 'named', 'plain'] as const)('asks nothing of any network and runs no script (%s)', (kind) => {
    const page = renderReport(exampleFacts(kind));
    expect(page).not.toMatch(/<script|@import|<link rel="stylesheet"/);
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"|url\(([^)]*)\)/g)].map((match) => match[1] ?? match[2]);
    expect(addresses.filter((address) => address !== 'data:,')).toEqual([]);
  });

  it('shows names from the data as text, never as markup', () => {
    const page = renderReport(exampleFacts('named', { title: '<img src=x onerror=alert(1)>' }));
    const { document } = parseHTML(page);
    expect(document.querySelectorAll('img, q, s, u')).toHaveLength(0);
    expect(page).toContain('&#60;img src=x onerror=alert(1)&#62;');
  });

  it('puts the four selections in one table and marks the one whose network it is', () => {
    const page = renderReport(exampleFacts('plain'));
    const rows = page.match(/<tr[^>]*><th scope="row">.*?<\/tr>/g) ?? [];
    expect(rows).toHaveLength(4);
    expect(rows.filter((row) => row.includes('class="chosen"'))).toEqual([expect.stringContaining('linearized<span')]);
  });

  it.each([
    [-40.5, 'a gain', /<b>\+\d+\.\d\d<\/b><span>nats over independent/],
    [25.9, 'a loss', /<b>−\d+\.\d\d<\/b><span>nats over independent/],
    [-9, 'no difference', /<b>0\.00<\/b><span>nats over independent/],
  ])('gives the likelihood over independent dimensions one sign (of %d: %s)', (independentLogLikelihood, _, shown) => {
    const facts = exampleFacts('plain');
    const dataset = { ...facts.dataset, independentLogLikelihood };
    const selections = facts.selections.map((selection) => ({ ...selection, test: -9, refitTest: -9 }));
    expect(renderReport({ ...facts, dataset, selections })).toMatch(shown);
  });

  it('says nothing of test rows where there are none', () => {
    const facts = exampleFacts('plain');
    const page = renderReport({
      ...facts,
      chosen: { name: 'linearized', refit: false },
      dataset: { ...facts.dataset, rows: { train: 200, valid: 50, test: null } },
      selections: facts.selections.map((selection) => ({ ...selection, test: null, refitTest: null })),
    });
    expect(page).toContain('nats a row on the validation rows');
    expect(page).toContain('no test');
    expect(page).not.toContain('NaN');
    expect(page).not.toContain('Infinity');
  });

  it('explains a dimension that has no predictors in words', () => {
    const facts = exampleFacts('plain');
    const shares = Array.from(facts.importance.shares, () => 0);
    const page = renderReport({ ...facts, importance: { ...facts.importance, dimension: 0, shares } });
    expect(page).toContain('It is the first of the ordering and has no predictors.');
  });

  it('draws a network of one dimension without trees', () => {
    const facts = exampleFacts('plain');
    const one = {
      trees: [0],
      loss: [0],
      independentLoss: [0],
      names: null,
      heldOut: 'test',
      seenByRefit: false,
    } as const;
    const page = renderReport({
      ...facts,
      dimensions: one,
      path: {
        method: 'linearized',
        trees: [0],
        train: [-0.7],
        valid: [-0.7],
        chosen: { trees: 0, train: -0.7, valid: -0.7 },
      },
      importance: { dimension: 0, shares: [0], positions: [0] },
    });
    expect(page).not.toContain('NaN');
  });
});
