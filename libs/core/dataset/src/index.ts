export { BitMatrix, type BitMatrixOptions } from './rows/bit-matrix.js';
export { requireRows } from './rows/require-rows.js';
export { placeOfColumn, type AskedColumn } from './reading/place-of-column.js';
export { closestNames, correctColumn, didYouMean, editDistance } from './reading/closest-names.js';
export {
  attachRows,
  inSharedMemory,
  meanOverRows,
  shareRows,
  type CountedRows,
  type SharedRows,
} from './rows/counted-rows.js';
export { attachSplits, shareSplits, type CountedSplits, type SharedSplits } from './rows/counted-splits.js';
export { DatasetError, type DatasetErrorCode } from './errors.js';
export { listNames, nameOfDimension } from './rows/columns.js';
export { HEADER_BYTES, parseHead, type LayoutHead } from './rows/bit-layout.js';
export { columnOrder, matchColumns, matchSplits, type ExpectedColumns, type Splits } from './rows/match.js';
export { type OptionName, type OptionWord } from './reading/option-words.js';
export { FORMATS, type Format, type ReadOptions } from './reading/options.js';
export { type TextOptions } from './reading/text-syntax.js';
export { readDataset, readMasked, type MaskedRows } from './bit-files/read.js';
export { type Source } from './reading/source.js';
export { openRowFile, openSources, type RowFile, type TextFile } from './reading/row-file.js';
export { keepQuery, type KeptQuery } from './query/keep-query.js';
export { Spool } from './reading/spool.js';
export { isGzip } from './reading/detect.js';
export { unzipped } from './reading/unpacked.js';
export { findParts, type Parts } from './parts/find-parts.js';
export { globMatcher, isGlob, literalPrefix } from './parts/glob.js';
export { openRows, readMaskedFile, type RowsOfBits, type RowsOfTable, type RowsOptions } from './reading/open-rows.js';
export { KeptColumns } from './table-files/kept-columns.js';
export {
  readTrainingRows,
  type TrainingFiles,
  type TrainingRows,
  type TrainingRowsOptions,
} from './reading/read-training-rows.js';
export { evenlySpaced, evenPlaces } from './rows/evenly-spaced.js';
export { assignRows, rowsOfShare, splitRows, type RowSplit, type SplitFractions } from './rows/split.js';
export { bitTable, encodedBits } from './table-files/bit-table.js';
export { keptTable, type KeptTable } from './table-files/kept-columns.js';
export { tablesOfRows } from './table-files/selected-rows.js';
export { openTable, openTableFrom } from './table-files/open-table.js';
export { openTextTable } from './table-files/open-text-table.js';
export { type RawColumn } from './table-files/raw-column.js';
export type { WrittenText } from './table-files/csv/written-text.js';
export { markedTable, placesWhere, type RawBatch, type RawCell, type RawTable } from './table-files/raw-table.js';
export {
  MISSING_MARKS,
  TABLE_FORMATS,
  type TableFileOptions,
  type TableFormat,
  type TableOptionName,
} from './table-files/table-options.js';
export {
  associationsOf,
  coarseGroups,
  groupsFor,
  inGroups,
  strengthsOf,
  type CodeGroups,
} from './table/associations.js';
export {
  describeTable,
  type DescribedVariable,
  type DescribeOptions,
  type TableDescription,
  type TableSample,
} from './table/describe-table.js';
export { withoutExcluded } from './second-file/without-excluded.js';
export { readAsTrained, type ReadingOptions, type SecondFile } from './second-file/find-readings.js';
export { modelTextOf } from './second-file/model-text.js';
export { type Reading } from './second-file/reading.js';
export { encodeParts, type EncodedPart } from './table/encode-parts.js';
export {
  commonExpectation,
  expectationOf,
  isExpected,
  middleCodes,
  type Expectation,
  type Opinion,
} from './table/expectation.js';
export {
  placesInFile,
  countRows,
  encodeTable,
  noSuchValue,
  readFor,
  type EncodedRows,
  type EncodeOptions,
  type Misfit,
} from './table/encode-table.js';
export { profileTable, tableDefaults, tableOf, type TableOptions, type TableProfile } from './table/infer-table.js';
export { EXCLUDED, KINDS, WEIGHS_ROWS, type Kind } from './table/inferred.js';
export { meanLogDensities, rowLogDensities, type RowLogDensities } from './table/log-densities.js';
export { logRatesOfOthers, ownLogRates, trainingCounts } from './table/own-rates.js';
export { readTableSplits, type TableSources, type TableSplits, type WeighedRows } from './table/read-splits.js';
export { readWeights } from './weights/read-weights.js';
export { areRepeats } from './weights/row-repeats.js';
export { weighedInWords } from './weights/weighed-in-words.js';
export { csvField, csvPieces, medianValuesOf, OTHER, valuesOf, wordsOf, type Texts } from './table/write-table.js';
export { writtenValues, type WrittenValue } from './table/written-values.js';
export { codeOfNumber, onGridOf } from './table/code-of-number.js';
export { Encoder, expectedCell, isHole, labelOf, numberOf, writeOnGrid, writeValue } from './variables/cell-values.js';
export { standForNumbers } from './variables/merged-texts.js';
export {
  codeCount,
  codeOffsets,
  holeCode,
  otherCode,
  ownValue,
  readCodes,
  valueCount,
  writeCode,
} from './variables/codes.js';
export { isOfWholeNumbers } from './variables/moment-format.js';
export { isOfMonths } from './variables/written-date.js';
export { densestOf, ValueDistribution } from './variables/value-distribution.js';
export { gridWords } from './variables/value-grid.js';
export { codesInOrder } from './variables/value-order.js';
export { Restriction, type ValueRange } from './variables/restriction.js';
export { ColumnTyping, type ColumnForm, type TypedBy } from './written-files/column-typing.js';
export type { TypedBatches } from './written-files/row-groups.js';
export type { TypeInFile } from './written-files/type-in-file.js';
export type { ColumnHead, TypedColumn, TypedValues } from './written-files/typed-column.js';
export { arrowPieces } from './written-files/write-arrow.js';
export { jsonPieces } from './written-files/write-json.js';
export { parquetPieces } from './written-files/write-parquet.js';
export { checkTable } from './variables/check-table.js';
export { decisionTreeOf, pathsOf, type DecisionTree } from './variables/decision-tree.js';
export { addEqualNats, equalColumnsOf, unknownValues, type KnownValues } from './variables/equal-columns.js';
export {
  drawIn,
  drawWithin,
  isMass,
  isNewNumber,
  isTail,
  logDensitiesOfDrawn,
  logDensityIn,
  logShareOfGap,
  logShareOfLabel,
  meanOfCode,
  shareIn,
} from './variables/density.js';
export {
  describeSum,
  sumBitsInOrdering,
  sumsInOrdering,
  totalsBeforeParts,
  type SumInOrdering,
} from './variables/column-sums.js';
export { nameInRule } from './variables/name-in-rule.js';
export { rowsOfSum, type FoundRule } from './table/sum-of-all-rows.js';
export {
  predictorCount,
  predictorOffsets,
  setBitsOf,
  setBitsOfPosition,
  setPredictorBits,
  sumsByCode,
} from './variables/predictor-bits.js';
export { codesInRows, fieldRows, tableFields, type CodePlace, type TableFields } from './variables/table-fields.js';
export { predictorsInSets, SET_BYTES, type Field, type FieldLayout, type FieldRows } from './rows/field-rows.js';
export { Columns, columnsIn, type TableDocument } from './rows/columns-of-rows.js';
