/**
 * @param {readonly number[]} values
 * @returns {number} NaN of none
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {readonly number[]} values */
export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {readonly number[]} values */
export const mean = (values) => sum(values) / values.length;

/** Standard error of the mean of these. @param {readonly number[]} values */
export function errorOfMean(values) {
  const middle = mean(values);
  const squares = values.reduce((total, value) => total + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
