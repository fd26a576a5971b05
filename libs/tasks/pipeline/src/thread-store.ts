import type { PostedError } from '@orchard/refusal';
import type { ByteRange, ListOptions, ObjectEntry, ObjectStore, PutResult } from '@orchard/storage';
import { errorOf, type StoreMethod } from './thread-messages.js';

/** Posts one call to the thread that has the store. */
type Post = (call: number, method: StoreMethod, args: readonly unknown[]) => void;

/**
 * A store as a thread sees it: every call is made by the thread that started it, which has the connections, the
 * credentials and the retries. Bytes go without being copied where they can.
 */
export class ThreadStore implements ObjectStore {
  readonly #open = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #calls = 0;

  constructor(private readonly post: Post) {}

  put(name: string, bytes: Uint8Array): Promise<PutResult> {
    return this.#call('put', name, bytes);
  }

  get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call('get', name, range);
  }

  head(name: string): Promise<ObjectEntry | null> {
    return this.#call('head', name);
  }

  list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]> {
    return this.#call('list', prefix, options);
  }

  delete(name: string): Promise<void> {
    return this.#call('delete', name);
  }

  answer(call: number, result: unknown): void {
    this.#take(call)?.resolve(result);
  }

  refuse(call: number, failure: PostedError): void {
    this.#take(call)?.reject(errorOf(failure, 'the store'));
  }

  #call<Result>(method: StoreMethod, ...args: readonly unknown[]): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const call = this.#calls++;
      this.#open.set(call, { resolve: resolve as (result: unknown) => void, reject });
      this.post(call, method, args);
    });
  }

  #take(call: number): { resolve: (result: unknown) => void; reject: (error: Error) => void } | undefined {
    const found = this.#open.get(call);
    this.#open.delete(call);
    return found;
  }
}
