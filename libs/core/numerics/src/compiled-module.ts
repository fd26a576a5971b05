const PAGE = 65_536;

/** A WebAssembly module of a library, compiled once a thread and only when it is first used. */
export class CompiledModule {
  #module: WebAssembly.Module | undefined;

  /** @param base64 the module's bytes, as the library's build writes them to `src/generated` */
  constructor(private readonly base64: string) {}

  /**
   * Another instance, with a memory of its own unless one is given.
   *
   * @typeParam Exports what the library's `assembly/index.ts` exports, which the build does not check
   */
  instantiate<Exports>(memory?: WebAssembly.Memory): Exports {
    this.#module ??= new WebAssembly.Module(bytesOf(this.base64));
    const abort = (): void => undefined;
    const env = memory === undefined ? { abort } : { abort, memory };
    const exports: unknown = new WebAssembly.Instance(this.#module, { env }).exports;
    return exports as Exports;
  }
}

/** Makes a memory at least `bytes` long. Where it grows, views made before are detached. */
export function growMemory(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}

/** Browsers have no Buffer. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
