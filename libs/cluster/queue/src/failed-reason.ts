/** What the queue keeps of a failure: a code and seconds, never the message, which may hold anything. */
export function failedReasonOf(error: unknown, seconds: number): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return `${typeof code === 'string' ? code : 'unexpected'} ${seconds.toFixed(1)}`;
}

/** The same as it is read; workers of an earlier release write the code alone. */
export function readFailedReason(reason: string): { readonly code: string; readonly seconds: number } {
  const [, code = reason, seconds = '0'] = /^(.*) (\d+\.\d)$/.exec(reason) ?? [];
  return { code, seconds: Number(seconds) };
}
