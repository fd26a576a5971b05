import type { PipeTransform } from '@nestjs/common';
import { parseContract } from '@orchard/contracts';
import type { z } from 'zod';

/** Parses one argument of a handler by its schema. @throws Refusal `invalid-contract`, answered with 400 */
export class ContractPipe<Schema extends z.ZodType> implements PipeTransform<unknown, z.output<Schema>> {
  constructor(
    private readonly schema: Schema,
    /** The argument's name in messages, e.g. `query`. */
    private readonly what: string,
  ) {}

  transform(value: unknown): z.output<Schema> {
    return parseContract(this.schema, value, this.what);
  }
}
