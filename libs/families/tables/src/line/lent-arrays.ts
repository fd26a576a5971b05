/**
 * Arrays of numbers that are lent for one regression, and lent again for the next: a column has dozens of them, of
 * 20,000 rows, and a system that hands out their pages anew takes as long as what is done with them. What is in them is
 * whatever was left there.
 */
export class LentArrays {
  #arrays: Float64Array[] = [];
  #room = 0;
  #length = 0;
  #lent = 0;

  static of(length: number): LentArrays {
    const lent = new LentArrays();
    lent.begin(length);
    return lent;
  }

  /** All that were lent may be lent again, each as long as this. */
  begin(length: number): void {
    if (length > this.#room) {
      this.#arrays = [];
      this.#room = length;
    }
    this.#length = length;
    this.#lent = 0;
  }

  take(): Float64Array {
    const at = this.#lent++;
    this.#arrays[at] ??= new Float64Array(this.#room);
    return this.#arrays[at].subarray(0, this.#length);
  }
}
