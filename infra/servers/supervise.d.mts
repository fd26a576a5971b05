/** What tests ask of it. */
export interface Supervised {
  readonly plan: (port: number, directory: string) => { readonly command: string; readonly args: readonly string[] };
  readonly isReady: (port: number) => Promise<boolean>;
  /** Milliseconds within which it answers on a machine with a processor for it. @default 20000 */
  readonly ready?: number;
  /** @default 3 */
  readonly attempts?: number;
  readonly port: number | undefined;
  readonly directory: string | undefined;
}

export function startUnderGuardian(options: Supervised): Promise<{ readonly port: number; stop(): Promise<void> }>;
/** Milliseconds of this machine for those of one where `share`, the programs that want each processor, is 1. */
export function patience(ready: number, share: number): number;
