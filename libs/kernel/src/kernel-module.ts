import { kernelBytes } from './generated/kernel-bytes.js';

/** The kernel's functions on one memory; `state` is the address of a `State` (assembly/state.ts). */
export interface KernelExports {
  arrange(state: number, unsorted: number, scratch: number, train: number, valid: number, dimensions: number): void;
  prepare(state: number, position: number, pooled: number, growing: number, odds: number): void;
  grow(state: number): void;
  follow(state: number, leaves: number): void;
  apply(state: number): void;
}

let compiled: WebAssembly.Module | undefined;
const instances = new WeakMap<WebAssembly.Memory, KernelExports>();

/** The kernel on that memory: compiled once a thread, instantiated once a memory. */
export function kernelOn(memory: WebAssembly.Memory): KernelExports {
  compiled ??= new WebAssembly.Module(Buffer.from(kernelBytes, 'base64'));
  let instance = instances.get(memory);
  if (instance === undefined) {
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory, abort: () => undefined } });
    instance = exports as unknown as KernelExports;
    instances.set(memory, instance);
  }
  return instance;
}
