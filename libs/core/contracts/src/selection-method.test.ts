import { expect, test } from 'vitest';
import { isChosenByDimension, paperSelections, selectionMethods } from './index.js';

test('figures of validation rows by which each dimension chose for itself are told from those by which one network was chosen', () => {
  expect(selectionMethods.filter(isChosenByDimension)).toEqual(['individual', 'pooled']);
  expect(paperSelections.filter(isChosenByDimension)).toEqual(['individual']);
});
