/**
 * Whether two texts of a column are one number, as 1.1 and 1.10. They come one after the other and any of them again.
 * Where there are more numbers than may be held, one part of the numbers is looked at in each pass over the texts.
 */
export class SpelledTwice {
  isFound = false;
  /** Whether there were too many, so that what was found says nothing. */
  isUndecided = false;
  /** Numbers that were given, each as often as it came. */
  given = 0;
  readonly #texts = new Map<number, string>();

  /**
   * @param most numbers that are held
   * @param part of so many `parts`, the one that is looked at
   */
  constructor(
    private readonly most: number,
    private readonly part = 0,
    private readonly parts = 1,
  ) {}

  add(number: number, text: string): void {
    this.given++;
    // beyond it several numbers are one, which is said elsewhere
    if (this.isFound || this.isUndecided || Math.abs(number) > Number.MAX_SAFE_INTEGER) return;
    if (this.parts > 1 && partOf(number, this.parts) !== this.part) return;
    const first = this.#texts.get(number);
    if (first === undefined) this.#hold(number, text);
    else if (first !== text) this.isFound = true;
  }

  #hold(number: number, text: string): void {
    if (this.#texts.size < this.most) {
      this.#texts.set(number, text);
      return;
    }
    this.isUndecided = true;
    this.#texts.clear();
  }
}

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Spreads numbers over parts. */
function partOf(number: number, parts: number): number {
  double[0] = number;
  const mixed = Math.imul(halves[0]! ^ Math.imul(halves[1]!, 0x9e3779b1), 0x85ebca6b) >>> 0;
  return Math.floor((mixed / 2 ** 32) * parts);
}
