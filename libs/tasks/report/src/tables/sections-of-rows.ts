import { associationsSection } from './associations-section.js';
import { copiesSection } from './copies-section.js';
import { tableImportanceSection } from './importance-section.js';
import { marginalsSection } from './marginals-section.js';
import { oddRowsSection } from './odd-rows-section.js';
import { pairsSection } from './pairs-section.js';
import type { RowsFacts } from './table-facts.js';
import { variablesSection } from './variables-section.js';

/** What a section is about: `predicted` is what predicts each column, which some models do not say. */
export type SectionSubject = 'columns' | 'rows' | 'predicted';

interface SectionOfRows {
  readonly draw: (facts: RowsFacts) => string;
  readonly about: SectionSubject;
  /** Whether it comes before what only the model's family shows. */
  readonly isFirst?: true;
}

/** Every section about rows of any kind, in order: reports on tables and on rows of 0 and 1 are made of this list. */
const sections: readonly SectionOfRows[] = [
  { draw: pairsSection, about: 'columns', isFirst: true },
  { draw: tableImportanceSection, about: 'predicted', isFirst: true },
  { draw: marginalsSection, about: 'columns', isFirst: true },
  { draw: associationsSection, about: 'columns' },
  { draw: oddRowsSection, about: 'rows' },
  { draw: copiesSection, about: 'rows' },
  // of a likelihood without shares of columns nothing is known of each
  { draw: (facts) => (facts.oddRows === null ? '' : variablesSection(facts)), about: 'predicted' },
];

/** The first sections of a page, whatever they are about. */
export function firstSections(facts: RowsFacts): string[] {
  return sections.filter(({ isFirst }) => isFirst === true).map(({ draw }) => draw(facts));
}

/** The sections about something. @param behind whether without {@link firstSections} */
export function sectionsAbout(subject: SectionSubject, facts: RowsFacts, behind = false): string[] {
  return sections
    .filter(({ about, isFirst }) => about === subject && !(behind && isFirst === true))
    .map(({ draw }) => draw(facts));
}
