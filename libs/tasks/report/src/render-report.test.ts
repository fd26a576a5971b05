import { BitMatrix } from '@orchard/dataset';
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
    [-40.5, 'a gain', / nats, \+\d+\.\d+ beside independent/],
    [25.9, 'a loss', / nats, −\d+\.\d+ beside independent/],
    [-9, 'no difference', / nats, 0\.000 beside independent/],
  ])('gives the likelihood over independent dimensions one sign (of %d: %s)', (independentLogLikelihood, _, shown) => {
    const facts = exampleFacts('plain');
    const dataset = { ...facts.dataset, independentLogLikelihood };
    const selections = facts.selections.map((selection) => ({ ...selection, test: -9, refitTest: -9 }));
    expect(renderReport({ ...facts, dataset, selections })).toMatch(shown);
  });

  it('of many dimensions draws as many bars and cells as a screen shows, and says what a bar is', () => {
    const facts = exampleFacts('plain');
    const count = 10_007;
    const each = (value: number): number[] => Array.from({ length: count }, (_, dim) => (dim < 11 ? value * dim : 0));
    const rows = BitMatrix.create(16, count);
    const page = renderReport({
      ...facts,
      dataset: { ...facts.dataset, dimensions: count },
      dimensions: {
        ...{ ...facts.dimensions, names: null, trees: each(3), loss: each(0.1), independentLoss: each(0.2) },
        beyondNoise: each(1).map((flag) => (flag > 4 ? 1 : 0)),
      },
      samples: { ...facts.samples, rows, nearest: rows, distances: Array.from({ length: 16 }, () => 0) },
      importance: { dimension: 1, shares: each(0), positions: each(1) },
    });
    expect(page.includes('A bar is the mean of 11 neighbours')).toBe(true);
    expect(page.includes('; what differs is counted in all')).toBe(true);
    const { document } = parseHTML(page);
    const bars = document.querySelector('svg[aria-label="Trees chosen for every dimension"]')!;
    // 10,007 in groups of 11, the first of which has six that are beyond noise
    expect(bars.querySelectorAll('rect').length).toBe(910);
    expect(bars.querySelectorAll('rect[fill="var(--accent)"]').length).toBe(1);
  });

  it('says nothing of test rows where there are none', () => {
    const facts = exampleFacts('plain');
    const page = renderReport({
      ...facts,
      chosen: { name: 'linearized', refit: false },
      dataset: { ...facts.dataset, rows: { train: 200, valid: 50, test: null } },
      selections: facts.selections.map((selection) => ({ ...selection, test: null, refitTest: null })),
    });
    expect(page).toContain('A validation row has a log-likelihood of');
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
      beyondNoise: [0],
      neededEvidence: 4.6,
      heldOut: 'test',
      beforeRefit: false,
    } as const;
    const page = renderReport({
      ...facts,
      dimensions: one,
      path: {
        method: 'linearized',
        isOfNetwork: true,
        trees: [0],
        train: [-0.7],
        valid: [-0.7],
        chosen: { trees: 0, train: -0.7, valid: -0.7 },
      },
      importance: { dimension: 0, shares: [0], positions: [0] },
    });
    expect(page).not.toContain('NaN');
  });

  /** The text of the cells of one selection's line, and those of them in bold. */
  function lineOf(page: string, name: string): { cells: string[]; bold: string[] } {
    const row = [...parseHTML(page).document.querySelectorAll('table.selections tbody tr')].find((each) =>
      each.querySelector('th')!.textContent.startsWith(name),
    )!;
    const cells = [...row.querySelectorAll('td')];
    return {
      cells: cells.map((cell) => cell.textContent),
      bold: cells.filter((cell) => cell.classList.contains('best')).map((cell) => cell.getAttribute('data-label')!),
    };
  }

  it('sets in bold only what rows say that nothing was chosen by, however good the individual selection looks', () => {
    const facts = exampleFacts('plain');
    const selections = facts.selections.map((selection) => ({
      ...selection,
      valid: selection.name === 'individual' ? -1 : -9,
      test: selection.name === 'individual' ? -9.9 : selection.name === 'common' ? -9.1 : -9.3,
      refitTest: selection.name === 'linearized' ? -9 : -9.2,
    }));
    const page = renderReport({ ...facts, selections });
    expect(lineOf(page, 'individual')).toMatchObject({ bold: [] });
    expect(lineOf(page, 'individual').cells[2]).toBe('−1.000*');
    expect(lineOf(page, 'common').bold).toEqual(['test']);
    expect(lineOf(page, 'linearized').bold).toEqual(['test, refitted']);
    expect(page).toContain('may not be compared with the others. The test rows have chosen nothing: compare there.');
    const untested = selections.map((selection) => ({ ...selection, test: null, refitTest: null }));
    const without = renderReport({ ...facts, selections: untested });
    expect(without).not.toContain('class="best"');
    expect(without).toContain('only fresh rows can say');
    expect(without).toContain('These rows chose the rounds, before its refit: the figures are a little too good.');
  });

  it('speaks of the path of the network that it is about, or says that there is none', () => {
    const facts = exampleFacts('plain');
    const own = renderReport(facts);
    expect(own).toContain('is kept: this network, at');
    expect(own).toContain('</i>this network (linearized)');
    const other = renderReport({
      ...facts,
      chosen: { name: 'individual', refit: false },
      path: { ...facts.path!, isOfNetwork: false },
    });
    expect(other).toContain('This network is on no path');
    expect(other).toContain('that selection would keep another network');
    expect(other).toContain('</i>what linearized would keep');
    expect(other).not.toContain('this network (linearized)');
    expect(other).toContain('this network (individual), by its validation, too good to be compared');
  });

  it('has a key for the marks that are in a figure, and for no others', () => {
    const facts = exampleFacts('plain');
    const { trees, valid } = facts.path!.chosen;
    const place: Record<string, readonly [number, number]> = {
      individual: [trees + 10, valid + 30],
      common: [trees + 10, valid - 0.01],
      linearized: [trees, valid],
      'linearized-backward': [trees * 50, valid],
    };
    const selections = facts.selections.map((selection) => ({
      ...selection,
      trees: place[selection.name]![0],
      valid: place[selection.name]![1],
    }));
    const page = renderReport({ ...facts, selections });
    const keys = [...page.matchAll(/<\/svg>([\w-]+), by its validation/g)].map(([, name]) => name);
    expect(keys).toEqual(['common']);
  });

  it('leaves room for the longest label of an axis', () => {
    const facts = exampleFacts('plain');
    const path = facts.path!;
    const far = (values: ArrayLike<number>): number[] => Array.from(values, (value) => value * 0.01 - 1196.9);
    const moved = {
      ...path,
      trees: Array.from(path.trees, (count) => count * 1e5),
      train: far(path.train),
      valid: far(path.valid),
      chosen: {
        trees: path.chosen.trees * 1e5,
        train: path.chosen.train * 0.01 - 1196.9,
        valid: path.chosen.valid * 0.01 - 1196.9,
      },
    };
    const page = renderReport({ ...facts, path: moved });
    const { document } = parseHTML(page);
    const figures = [...document.querySelectorAll('.plot-figure > svg')];
    expect(figures.length).toBe(4);
    for (const figure of figures) {
      const width = Number(figure.getAttribute('width'));
      for (const axis of ['x', 'y'] as const) {
        for (const text of figure.querySelectorAll(`[aria-label="${axis}-axis tick label"] text`)) {
          const [, at] = /translate\(([\d.-]+)/.exec(text.getAttribute('transform')!)!;
          const half = (text.textContent.length * 12 * 0.6) / (axis === 'x' ? 2 : 1);
          const shift = axis === 'y' ? 9 : 0;
          expect(Number(at) - shift - half, text.textContent).toBeGreaterThanOrEqual(0);
          if (axis === 'x') expect(Number(at) + half, text.textContent).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  it('shows no shares of what is no better than noise, and counts what is', () => {
    const facts = exampleFacts('named');
    const found = Array.from(facts.dimensions.beyondNoise).filter((flag) => flag === 1).length;
    expect(renderReport(facts)).toContain(
      `${String(found)} of 90 are foreseen better than by any one rate, beyond noise`,
    );
    expect(renderReport(facts)).toContain('fill="var(--noise)"');
    const shares = Array.from(facts.importance.shares, () => 0);
    const page = renderReport({ ...facts, importance: { ...facts.importance, shares } });
    expect(page).toContain('foresees it no better than noise would');
    expect(page).not.toContain('class="leading');
  });
});
