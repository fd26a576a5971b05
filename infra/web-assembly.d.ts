// What the libraries use of WebAssembly, which TypeScript declares only together with the DOM; Node and browsers have
// it.
declare namespace WebAssembly {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- an opaque value
  class Module {
    constructor(bytes: BufferSource);
  }
  class Instance {
    constructor(module: Module, imports: { readonly env: Readonly<Record<string, unknown>> });
    readonly exports: unknown;
  }
  class Memory {
    constructor(pages: { readonly initial: number; readonly maximum?: number; readonly shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Global {
    constructor(type: { readonly value: 'i32' }, value: number);
    readonly value: unknown;
  }
}
