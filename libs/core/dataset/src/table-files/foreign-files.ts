/** Ways out of a file that is not read here. */
const FROM_PANDAS =
  'Read it with pandas and write it with df.to_parquet("table.parquet") or df.to_csv("table.csv", index=False).';
const UNPACK = 'Unpack it first.';
const SHEET =
  'Save the sheet as CSV UTF-8, or with pandas: pd.read_excel("table.xlsx").to_csv("table.csv", index=False).';
/**
 * A line of cells between bars over one of dashes between bars, both with a bar in front or cells of three dashes; what
 * stands above them has none.
 */
const MARKDOWN =
  /^(?:\xef\xbb\xbf)?(?:[^|\n]*\n){0,40}(?:[ \t]*\|[^\n]*\|[ \t]*\r?\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+|[^|\n]+\|[^\n]*\n(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*:?-{3,}:?)[ \t]*\r?(?:\n|$)/;
const FROM_R = 'Write it in R with write.csv(table, "table.csv", row.names = FALSE).';

interface ForeignFile {
  readonly kind: string;
  readonly remedy: string;
}

/** Files that people have and that are not read here: their first bytes, in Latin-1, what they are, and what to do. */
const FOREIGN: readonly (readonly [RegExp, string, string])[] = [
  [/^PK\x03\x04[^]*(\[Content_Types\]\.xml|xl\/|_rels\/)/, 'an Excel workbook', SHEET],
  [/^PK\x03\x04[^]*application\/vnd\.oasis/, 'an OpenDocument sheet', SHEET],
  [/^\xd0\xcf\x11\xe0/, 'an old Excel workbook', SHEET],
  [
    /^(<stata_dta>|[\x69\x6c\x6e\x6f\x71-\x73][\x01\x02]\x01\x00)/,
    'a Stata file',
    FROM_PANDAS.replace('pandas', 'pandas (pd.read_stata)'),
  ],
  [
    /^(\x00{12}\xc2\xea\x81\x60|HEADER RECORD\*{7})/,
    'a SAS file',
    FROM_PANDAS.replace('pandas', 'pandas (pd.read_sas)'),
  ],
  [/^\$FL[23]/, 'an SPSS file', FROM_PANDAS.replace('pandas', 'pandas (pd.read_spss)')],
  [
    /^\x80[\x02-\x05][\x95c}\]]/,
    'a Python pickle, which may run code of strangers',
    FROM_PANDAS.replace('pandas', 'pandas (pd.read_pickle, if you trust it)'),
  ],
  [/^\x89HDF/, 'an HDF5 file', FROM_PANDAS.replace('pandas', 'pandas (pd.read_hdf)')],
  [/^ORC/, 'an ORC file', FROM_PANDAS.replace('pandas', 'pandas (pd.read_orc)')],
  [/^Obj\x01/, 'an Avro file', 'Read it with polars and write it: pl.read_avro(FILE).write_parquet("table.parquet").'],
  [
    /^FEA1/,
    'a Feather file of version 1',
    'Write it again with df.to_feather("table.feather") of pandas 1.1 or later.',
  ],
  [
    /^SQLite format 3\x00/,
    'an SQLite database',
    'Write the table with: sqlite3 -header -csv FILE "select * from TABLE" > table.csv',
  ],
  [/^(RD[AX][23]\n|[XA]\n\x00\x00\x00[\x02\x03])/, 'a file of R', FROM_R],
  [/^\s*@relation/i, 'an ARFF file', 'Save it as CSV, in Weka or with scipy.io.arff and pandas.'],
  [/^\s*<(!doctype html|html)/i, 'a web page', 'Download the file itself rather than the page that shows it.'],
  [/^\s*<table[\s>]/i, 'an HTML table', FROM_PANDAS.replace('pandas', 'pandas (pd.read_html)')],
  [/^(\xef\xbb\xbf)?\s*<\?xml/, 'an XML file', FROM_PANDAS.replace('pandas', 'pandas (pd.read_xml)')],
  [
    MARKDOWN,
    'a table in Markdown',
    "Take out what is around the table, its line of dashes, and the bars at both ends of lines: sed '/|/!d; /^[-:| ]*--[-:| ]*$/d; s/^ *| *//; s/ *| *$//' table.md > table.csv",
  ],
  [
    /^(\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF[^]{4}WEBP|II\*\0|MM\0\*|BM[^]{4}\0{4})/,
    'a picture',
    'Save the values of all pictures as rows: numpy.save("pictures.npy", array), where array[row] are those of one.',
  ],
  [/^\x7fELF|^MZ[^]{0,78}This program/, 'a program', 'Check the path.'],
  [
    /^[\x80-\x8f\xde][^]{0,2}\xa5magic[\xaf\xb0]orchard/,
    'a model of Orchard, which has no rows',
    'Give a file of rows here; the model is given where a network is asked for.',
  ],
  [/^%PDF-/, 'a PDF document', 'Save the table in it as CSV.'],
  [
    /^%%MatrixMarket/,
    'a Matrix Market file',
    'Write it as .npz: scipy.sparse.save_npz("table.npz", scipy.io.mmread(FILE).tocsr()).',
  ],
  [
    /^version https:\/\/git-lfs\.github\.com\//,
    'a pointer of Git LFS, which stands for the file',
    'Get the file itself: git lfs pull.',
  ],
  [/^(\xef\xbb\xbf)?"?sep=.?"?\r?\n/i, 'a first line for spreadsheets alone, as sep=;', 'Remove line 1.'],
  [/^BZh[1-9](1AY&SY|\x17rE8P\x90)/, 'bzip2', UNPACK],
  [/^\xfd7zXZ/, 'xz', UNPACK],
  [/^\x28\xb5\x2f\xfd/, 'zstd', UNPACK],
  [/^\x04\x22\x4d\x18/, 'lz4', UNPACK],
  [/^(\xff\xfe\0\0|\0\0\xfe\xff)/, 'UTF-32', 'Save the file as UTF-8: iconv -f UTF-32 -t UTF-8 FILE > table.csv.'],
  [/^PK\x03\x04/, 'a zip archive', UNPACK],
  [/^7z\xbc\xaf/, 'a 7-Zip archive', UNPACK],
  [/^\x1f\x8b/, 'gzip within gzip', 'Unpack it once.'],
];

/** What a file is that is not read here, by its first bytes; null where it may be read. */
export function foreignFile(head: Uint8Array): ForeignFile | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1', 0, 4096);
  const found = FOREIGN.find(([magic]) => magic.test(text));
  return found ? { kind: found[1], remedy: found[2] } : null;
}
