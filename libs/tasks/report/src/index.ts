export { columnTreeSection, type ColumnTree } from './column-tree-section.js';
export { type FinishedRun } from './describe-run.js';
export type {
  DatasetFacts,
  DimensionFacts,
  ImportanceFacts,
  PathFacts,
  ReportFacts,
  RunFacts,
  SampleFacts,
  SelectionFacts,
} from './facts.js';
export { drawCurves, type Curve } from './figures/curve-figure.js';
export { drawOutline, type OutlineLine } from './figures/outline-figure.js';
export { SHADES, templateImage } from './figures/template-image.js';
export { nearestRows, type NearestRow } from './nearest-rows.js';
export { renderPage, type Page } from './page.js';
export { reportOnMembers, type FinishedMixture } from './report-on-members.js';
export { reportOnModel, type FinishedModel } from './report-on-model.js';
export { reportOnRun } from './render-report.js';
export { type Reported } from './reported.js';
export type {
  AssociationFacts,
  ChosenFacts,
  DrawFacts,
  ExpectedFacts,
  HistogramFacts,
  LabelsFacts,
  MarginalFacts,
  MarginalsFacts,
  OddRowFacts,
  OddRowsFacts,
  Pair,
  PairFacts,
  ReasonFacts,
  TableFacts,
  VariableFacts,
} from './tables/table-facts.js';
export { dimensionLabel, escapeHtml, formatCount, formatFigure, formatShare } from './text.js';
export { describeTable, type FinishedTable } from './tables/describe-table.js';
export { renderTableReport } from './tables/render-table-report.js';
