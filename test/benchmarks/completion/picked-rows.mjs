/** Rows evenly picked, so that a set sorted by something keeps its mixture. */
export function pickedRows(rows, count) {
  const picked = Math.min(count, rows);
  return Array.from({ length: picked }, (_, at) => Math.floor((at * rows) / picked));
}
