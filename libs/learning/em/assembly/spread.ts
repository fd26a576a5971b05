/**
 * How far each row is from the nearest of some, by the columns in which they differ, where one of them is added.
 *
 * @param stride from a row to the next, a multiple of 8
 * @param nearest f64 of each row
 */
export function addNear(rows: usize, stride: i32, count: i32, added: i32, nearest: usize): void {
  const own = rows + added * stride;
  for (let row = 0; row < count; row++) {
    const other = rows + row * stride;
    let differing: i64 = 0;
    for (let at = 0; at < stride; at += 8) differing += popcnt<i64>(load<i64>(own + at) ^ load<i64>(other + at));
    const place = nearest + (row << 3);
    if ((differing as f64) < load<f64>(place)) store<f64>(place, differing as f64);
  }
}
