import type { ByteRange, ListOptions, ObjectEntry, ObjectStore, PutResult } from '@orchard/storage';
import type { Attributes } from './telemetry.js';

/** Has an operation be a span of what is under way. @param more what is known of it at its end */
export type StoreSpan = <Result>(
  operation: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  more?: (result: Result) => Attributes,
) => Promise<Result>;

/** A store whose operations are traced: which, of what kind of object, and of how many bytes. */
export class TracedStore implements ObjectStore {
  constructor(
    private readonly store: ObjectStore,
    private readonly span: StoreSpan,
  ) {}

  put(name: string, bytes: Uint8Array): Promise<PutResult> {
    const attributes = { ...objectOf(name), 'orchard.object.bytes': bytes.byteLength };
    return this.span(
      'put',
      attributes,
      () => this.store.put(name, bytes),
      (result) => ({ 'orchard.put': result }),
    );
  }

  get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    const bytesOf = ({ byteLength }: Uint8Array): Attributes => ({ 'orchard.object.bytes': byteLength });
    return this.span('get', objectOf(name), () => this.store.get(name, range), bytesOf);
  }

  head(name: string): Promise<ObjectEntry | null> {
    return this.span('head', objectOf(name), () => this.store.head(name));
  }

  list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]> {
    const entriesOf = ({ length }: readonly ObjectEntry[]): Attributes => ({ 'orchard.object.entries': length });
    return this.span('list', objectOf(prefix), () => this.store.list(prefix, options), entriesOf);
  }

  delete(name: string): Promise<void> {
    return this.span('delete', objectOf(name), () => this.store.delete(name));
  }
}

/** `runs/<run>/conditionals/17` is of the kind `conditionals`, `datasets/<id>.facts` of `datasets`. */
function kindOfObject(name: string): string {
  const [first = '', , third] = name.split('/');
  return first === 'runs' && third !== undefined && third !== '' ? third : first;
}

function objectOf(name: string): Attributes {
  return { 'orchard.object.kind': kindOfObject(name), 'orchard.object.name': name };
}
