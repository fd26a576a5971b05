import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command line of this clone. */
export const orchard = fileURLToPath(new URL('../apps/cli/program/main.js', import.meta.url));

/** What the command line prints as one JSON document; its messages are shown. @throws where it does not end well */
export function askOrchard(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [orchard, ...words.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`orchard ${words[0]} ended with ${code}: ${text}`)),
    );
  });
}
