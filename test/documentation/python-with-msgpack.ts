import { execFileSync } from 'node:child_process';

/** Code for a Python that has msgpack, or pip, which brings one along; null where there is neither. */
export function pythonWithMsgpack(): ((code: string) => string) | null {
  const pips = 'import sys; from pip._vendor import msgpack; sys.modules["msgpack"] = msgpack\n';
  for (const before of ['import msgpack\n', pips])
    try {
      execFileSync('python3', ['-c', before], { stdio: 'ignore' });
      return (code) => execFileSync('python3', ['-c', before + code], { encoding: 'utf8' });
    } catch {
      // try the next
    }
  return null;
}
