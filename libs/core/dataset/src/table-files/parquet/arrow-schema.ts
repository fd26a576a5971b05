import type { FileMetaData } from 'hyparquet';
import type { TimeUnit } from '../iso-text.js';

/** Where writers that are built on Arrow keep the types that Parquet does not have. */
const KEY = 'ARROW:schema';
/** The unit of the durations of a column, by its place and name; undefined where it has others. */
type Durations = (place: number, name: string) => TimeUnit | undefined;
const NONE: Durations = () => undefined;

/**
 * The columns of whole numbers that are durations, and in which unit. Parquet has no such type: pandas,
 * pyarrow and Polars say it in an Arrow schema beside the file's own. One that cannot be read says nothing, as other
 * readers have it too.
 */
export async function durationsOf({ key_value_metadata: entries, schema }: FileMetaData): Promise<Durations> {
  const said = entries?.find(({ key }) => key === KEY)?.value;
  const mayBe = schema.some(({ type, converted_type, logical_type }) => {
    return type === 'INT64' && converted_type === undefined && logical_type === undefined;
  });
  if (said === undefined || !mayBe) return NONE;
  const { DataType, tableFromIPC } = await import('apache-arrow');
  const { UNITS } = await import('../arrow/arrow-cells.js');
  try {
    const { fields } = tableFromIPC(Buffer.from(said, 'base64')).schema;
    return (place, name) => {
      const field = fields[place];
      return field?.name === name && DataType.isDuration(field.type) ? UNITS[field.type.unit] : undefined;
    };
  } catch {
    return NONE;
  }
}
