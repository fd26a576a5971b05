import { SET_BYTES, type FieldLayout } from '@orchard/dataset';
import { StateView, type KernelModule } from './kernel-module.js';

/** Numbers of a field as the kernel has them (assembly/fields.ts): start, end, codes, number of its first set. */
const FIELD_NUMBERS = 4;
const NO_SETS = 0xffffffff;

/** Writes what the codes of each field mean to where the kernel reads it. */
export function writeFields(
  memory: WebAssembly.Memory,
  kernel: KernelModule,
  state: number,
  layout: FieldLayout,
): void {
  const view = new StateView(memory, state, kernel.layout);
  const numbers = new Uint32Array(memory.buffer, view.get('FIELDS'), layout.fields.length * FIELD_NUMBERS);
  const ranges = new Uint16Array(memory.buffer, view.get('CODE_RANGES'), layout.predictors * 2);
  let sets = 0;
  for (const [index, field] of layout.fields.entries()) {
    const { start, end, codes } = field;
    numbers.set([start, end, codes, field.sets === null ? NO_SETS : sets], index * FIELD_NUMBERS);
    if (field.ranges !== null) ranges.set(field.ranges, start * 2);
    if (field.sets === null) continue;
    new Uint8Array(memory.buffer, view.get('CODE_SETS') + sets * SET_BYTES, field.sets.length).set(field.sets);
    sets += end - start;
  }
}

/** What the codes of a table's rows mean, read from the memory that threads share. */
export class FieldMemory {
  readonly #numbers: Uint32Array;
  readonly #ranges: Uint16Array;
  readonly #sets: Uint8Array;
  /** By predictor. */
  readonly #fieldOf: Uint32Array;

  constructor(
    memory: WebAssembly.Memory,
    kernel: KernelModule,
    state: number,
    { fields, dimensions, predictorsInSets }: Readonly<Record<'fields' | 'dimensions' | 'predictorsInSets', number>>,
  ) {
    const view = new StateView(memory, state, kernel.layout);
    this.#numbers = new Uint32Array(memory.buffer, view.get('FIELDS'), fields * FIELD_NUMBERS);
    this.#ranges = new Uint16Array(memory.buffer, view.get('CODE_RANGES'), dimensions * 2);
    this.#sets = new Uint8Array(memory.buffer, view.get('CODE_SETS'), predictorsInSets * SET_BYTES);
    this.#fieldOf = new Uint32Array(dimensions);
    for (let field = 0; field < fields; field++)
      this.#fieldOf.fill(field, this.#numbers[field * FIELD_NUMBERS], this.#numbers[field * FIELD_NUMBERS + 1]);
  }

  /** The byte of a row that a predictor is read from. */
  fieldOf(predictor: number): number {
    return this.#fieldOf[predictor]!;
  }

  /** The value of a predictor with a code of its field. */
  bit(predictor: number, code: number): 0 | 1 {
    const at = this.#fieldOf[predictor]! * FIELD_NUMBERS;
    const firstSet = this.#numbers[at + 3]!;
    if (firstSet === NO_SETS)
      return code >= this.#ranges[2 * predictor]! && code < this.#ranges[2 * predictor + 1]! ? 1 : 0;
    const set = (firstSet + predictor - this.#numbers[at]!) * SET_BYTES;
    return ((this.#sets[set + (code >> 3)]! >> (code & 7)) & 1) as 0 | 1;
  }
}
