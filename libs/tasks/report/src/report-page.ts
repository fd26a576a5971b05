import { renderPage } from './page.js';
import { tableStyle } from './tables/table-style.js';

/** What stands on the page about a model, whatever its family and its rows: plain texts, and sections as markup. */
export interface ReportParts {
  /** What the rows are called. @default nothing: the page is called by its kind */
  readonly title?: string | null | undefined;
  /** What was made: "A table of 3 variables". */
  readonly kind: string;
  /** How it was made, in a sentence. */
  readonly lead: string;
  readonly headline: string;
  readonly warnings: string;
  /** Pictures of all columns together. @default none */
  readonly first?: readonly string[];
  readonly samples: string;
  /** What only the model's family can show. @default none */
  readonly own?: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  /** What predicts each column. @default none */
  readonly predicted?: readonly string[];
  /** How training went. @default none */
  readonly training?: readonly string[];
  readonly run: string;
}

/**
 * The report of any model: one HTML file that asks nothing of any network, without scripts, readable in light, dark and
 * print. The same parts give the same bytes on every machine. Its sections have one order; a part without any is left
 * out.
 */
export function reportPage(parts: ReportParts): string {
  const { title = null, kind, lead, headline, warnings, samples, columns, rows, run } = parts;
  const { first = [], own = [], predicted = [], training = [] } = parts;
  return renderPage({
    title: title ?? kind,
    lead: title === null ? lead : `${kind}. ${lead}`,
    style: tableStyle,
    // pictures before tables
    sections: [headline, warnings, ...first, samples, ...own, ...columns, ...rows, ...predicted, ...training, run],
  });
}
