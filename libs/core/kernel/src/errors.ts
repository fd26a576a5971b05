import { Refusal, type RefusalParts } from '@orchard/refusal';

/**
 * - `too-large`: more rows than the sums are exact for, or more memory than there is
 * - `bad-data`: splits or threads that do not fit together
 * - `bad-tree`: a tree that was not grown for this conditional
 * - `other-layout`: memory that was arranged for something else, by the kernel's build or the number of leaves
 * - `aborted`: a defect of the kernel
 */
export type KernelErrorCode = 'too-large' | 'bad-data' | 'aborted' | 'bad-tree' | 'other-layout';

/** What the kernel refuses or could not finish. Its message begins with `what`. */
export class KernelError extends Refusal<KernelErrorCode> {
  constructor(
    what: string,
    { code, cause, ...parts }: RefusalParts & { readonly code: KernelErrorCode; readonly cause?: unknown },
  ) {
    super(code, { ...parts, where: what }, { cause });
  }
}
