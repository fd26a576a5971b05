import { logOfTwo } from '../../../core/numerics/assembly/log-of-two';

// Experts are held in tiles of eight: of each column Σ e μ of the eight, e (1 − μ), e, eight f64 each. A lane is an
// expert, and what is done in it is done in the order of the columns: the same bits as one expert after the other.

/** Bytes of eight numbers; one column of a tile has three such. */
// @ts-ignore: decorator
@inline const EIGHT: usize = 64;
/**
 * Probabilities whose product is made before its logarithm: none is below 2^-91, nor above 2^33, and their quotient not
 * below 2^-1000.
 */
// @ts-ignore: decorator
@inline const FACTORS: i32 = 10;

/**
 * log P(row | those that were added, and one of the eight more), of each of the eight: to `nats`.
 *
 * @param places of each column, bytes from `tile` to what the eight add to the scale of the row's value there
 * @param sums of each column, of those that were added: the scale of the row's value, and Σ e
 */
export function natsOfTile(tile: usize, places: usize, sums: usize, dimensions: i32, nats: usize): void {
  const one = f64x2.splat(1.0);
  let nats0 = f64x2.splat(0.0);
  let nats1 = nats0;
  let nats2 = nats0;
  let nats3 = nats0;
  let wholeAt = tile + 2 * EIGHT;
  for (let left = dimensions; left > 0; left -= FACTORS) {
    const group = min(left, FACTORS);
    let product0 = one;
    let product1 = one;
    let product2 = one;
    let product3 = one;
    let whole0 = one;
    let whole1 = one;
    let whole2 = one;
    let whole3 = one;
    for (let i = 0; i < group; i++) {
      const at = tile + <usize>load<u32>(places);
      const sum = v128.load64_splat(sums);
      product0 = f64x2.mul(product0, f64x2.add(sum, v128.load(at)));
      product1 = f64x2.mul(product1, f64x2.add(sum, v128.load(at, 16)));
      product2 = f64x2.mul(product2, f64x2.add(sum, v128.load(at, 32)));
      product3 = f64x2.mul(product3, f64x2.add(sum, v128.load(at, 48)));
      const whole = v128.load64_splat(sums, 8);
      whole0 = f64x2.mul(whole0, f64x2.add(whole, v128.load(wholeAt)));
      whole1 = f64x2.mul(whole1, f64x2.add(whole, v128.load(wholeAt, 16)));
      whole2 = f64x2.mul(whole2, f64x2.add(whole, v128.load(wholeAt, 32)));
      whole3 = f64x2.mul(whole3, f64x2.add(whole, v128.load(wholeAt, 48)));
      places += 4;
      sums += 16;
      wholeAt += 3 * EIGHT;
    }
    nats0 = f64x2.add(nats0, logOfTwo(f64x2.div(product0, whole0)));
    nats1 = f64x2.add(nats1, logOfTwo(f64x2.div(product1, whole1)));
    nats2 = f64x2.add(nats2, logOfTwo(f64x2.div(product2, whole2)));
    nats3 = f64x2.add(nats3, logOfTwo(f64x2.div(product3, whole3)));
  }
  v128.store(nats, nats0);
  v128.store(nats, nats1, 16);
  v128.store(nats, nats2, 32);
  v128.store(nats, nats3, 48);
}

/** Adds an expert to the sums. @param expert its lane of a tile: the address of its Σ e μ of the first column */
export function addExpert(expert: usize, places: usize, sums: usize, dimensions: i32): void {
  for (let dim = 0; dim < dimensions; dim++) {
    store<f64>(sums, load<f64>(sums) + load<f64>(expert + <usize>load<u32>(places + (dim << 2))));
    store<f64>(sums, load<f64>(sums, 8) + load<f64>(expert + <usize>dim * 3 * EIGHT, 2 * EIGHT), 8);
    sums += 16;
  }
}

/**
 * Where the row's values are found in a tile, and sums without any expert.
 *
 * @param values 0 or 1 of each column, a byte each
 */
export function begin(values: usize, places: usize, sums: usize, dimensions: i32): void {
  for (let dim = 0; dim < dimensions; dim++) {
    const value: u32 = load<u8>(values + <usize>dim);
    store<u32>(places + (dim << 2), <u32>dim * 192 + (1 - value) * 64);
  }
  memory.fill(sums, 0, <usize>dimensions << 4);
}
