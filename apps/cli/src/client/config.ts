import { makeFolder } from '@orchard/storage';
import { chmod } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../output/errors.js';
import { jsonIn } from '../output/json-file.js';
import { writeWhole } from '../output/whole-file.js';

/** What the client commands read from the environment. */
const environmentSchema = z.object({
  ORCHARD_SERVER: z.string().optional(),
  ORCHARD_TOKEN: z.string().optional(),
  XDG_CONFIG_HOME: z.string().optional(),
});

const loginSchema = z.object({ server: z.string(), token: z.string().nullable() });

/** A coordinator, and the token to show it. */
export type Login = z.infer<typeof loginSchema>;

const environment = environmentSchema.parse(process.env);

/** Where `orchard login` keeps the last login, readable by this user alone. */
export function loginPath(): string {
  return join(environment.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'orchard', 'login.json');
}

/**
 * The coordinator to ask: `--server`, else ORCHARD_SERVER, else that of the last login. The token is ORCHARD_TOKEN, or
 * that of the login if it is for the same server: a token is never sent to another.
 *
 * @param otherwise what else can be done where none is known, as a sentence after a space
 * @throws UsageError where none is known, or it is not a URL
 */
export async function findLogin(server: string | undefined, otherwise = ''): Promise<Login> {
  // one that this version does not know is none: to log in again writes it anew
  const saved = await jsonIn(loginPath(), loginSchema);
  const asked = server ?? environment.ORCHARD_SERVER ?? saved?.server;
  if (asked === undefined || asked === '') {
    throw new UsageError({
      got: 'no server',
      expected: 'the URL of a coordinator',
      remedy: `Give --server, set ORCHARD_SERVER, or use orchard login.${otherwise}`,
    });
  }
  const origin = serverOf(asked);
  const token = environment.ORCHARD_TOKEN ?? (saved?.server === origin ? saved.token : null);
  return { server: origin, token: token === '' ? null : token };
}

export async function saveLogin(login: Login): Promise<string> {
  const path = loginPath();
  await makeFolder(dirname(path), 0o700);
  // a file that is there keeps its mode: it must not be readable by others even for a moment
  await chmod(path, 0o600).catch(() => undefined);
  await writeWhole(path, `${JSON.stringify(login)}\n`, 0o600);
  return path;
}

/** A server's URL without a slash at the end. @throws UsageError */
function serverOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '') {
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  }
  throw new UsageError({
    got: JSON.stringify(text.slice(0, 100)),
    expected: 'the URL of a coordinator, as http://127.0.0.1:8080',
    where: '--server',
    remedy: 'Correct it.',
  });
}
