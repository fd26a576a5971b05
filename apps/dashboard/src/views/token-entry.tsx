import { useState } from 'preact/hooks';
import { token } from '../cluster/questions.js';
import { canSignIn, signIn, type Issuer } from '../cluster/sign-in.js';
import { useAnswer } from '../cluster/use-answer.js';
import { Problem } from '../problem.js';

/** Asks who the user is, once in the life of a tab: by their issuer where the cluster has one, or by a token. */
export function TokenEntry({ problem, onToken }: { problem: string | null; onToken: () => void }) {
  const [secret, setSecret] = useState('');
  const { value: ways, problem: waysProblem } = useAnswer<{ oidc: Issuer | null }>('/v1/sign-in');
  const issuer = ways?.oidc ?? null;
  return (
    <main class="entry">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (secret.trim() === '') return;
          token.set(secret.trim());
          onToken();
        }}
      >
        <h1>Orchard</h1>
        <p>
          {issuer === null
            ? 'This cluster shows its runs to those who have a token. Its administrator gives you one.'
            : 'This cluster shows its runs to those whom it knows.'}
        </p>
        <Problem text={problem} />
        {waysProblem !== null && problem === null && <p class="note">Signing in does not work now: {waysProblem}</p>}
        {issuer !== null && <SignIn issuer={issuer} />}
        <label>
          Token
          <input
            type="password"
            name="token"
            autocomplete="off"
            autofocus={issuer === null}
            value={secret}
            onInput={({ currentTarget }) => {
              setSecret(currentTarget.value);
            }}
          />
        </label>
        <button class={issuer === null ? 'main' : ''} type="submit">
          Open
        </button>
        <p class="note">It is kept in this tab alone, until the tab is closed.</p>
      </form>
    </main>
  );
}

function SignIn({ issuer }: { issuer: Issuer }) {
  const [problem, setProblem] = useState<string | null>(null);
  const place = new URL(issuer.issuer).host;
  if (!canSignIn())
    return <p class="note">Signing in at {place} needs this page by https, or from this machine itself.</p>;
  return (
    <>
      <button
        class="main"
        type="button"
        onClick={() => {
          signIn(issuer).catch((error: unknown) => {
            setProblem(String(error));
          });
        }}
      >
        Sign in at {place}
      </button>
      <Problem text={problem} />
      <p class="note">Or show a token:</p>
    </>
  );
}
