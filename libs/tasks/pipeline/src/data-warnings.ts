import { counted, firstAndMore } from '@orchard/refusal';
import type { RunWarning } from '@orchard/contracts';
import { listNames, type BitMatrix } from '@orchard/dataset';

/** Below this many validation rows the standard error of a mean is more than a seventh of what one row differs. */
const FEW_VALIDATION_ROWS = 50;

/** What the rows alone are worth being warned about, before anything is trained. */
export function dataWarnings(train: BitMatrix, validRows: number): RunWarning[] {
  const warnings: RunWarning[] = [];
  if (validRows < FEW_VALIDATION_ROWS) {
    warnings.push({
      code: 'few-validation-rows',
      message:
        `${counted(validRows, 'row validates', 'rows validate')}: the number of trees is chosen by chance below ${FEW_VALIDATION_ROWS}. ` +
        'Give more validation rows.',
    });
  }
  const constant: string[] = [];
  train.columnCounts().forEach((ones, dim) => {
    if (ones === 0 || ones === train.rows) constant.push(train.names?.[dim] ?? String(dim + 1));
  });
  if (constant.length > 0) {
    const which = train.names === null ? firstAndMore(constant, 5) : listNames(constant);
    warnings.push({
      code: 'constant-columns',
      message:
        `${counted(constant.length, 'column has', 'columns have')} one value in all ${train.rows} training rows (${which}): ` +
        'nothing can be learned of them, and another value is all but impossible to the network. Leave them out, or check the threshold.',
    });
  }
  return warnings;
}
