export type StoreProgram = 'coordinator' | 'selector' | 'worker';

export const allowed: Readonly<Record<StoreProgram, readonly string[]>>;

export function attempt(
  server: { readonly url: string; readonly region: string; readonly bucket: string },
  program: StoreProgram,
  secret: string,
): Promise<string[]>;
