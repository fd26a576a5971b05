import { useState } from 'preact/hooks';
import { token } from '../cluster/questions.js';

/** Asks for a token, once in the life of a tab. */
export function TokenEntry({ problem, onToken }: { problem: string | null; onToken: () => void }) {
  const [secret, setSecret] = useState('');
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
        <p>This cluster shows its runs to those who have a token. Whoever runs it gives you one.</p>
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <label>
          Token
          <input
            type="password"
            name="token"
            autocomplete="off"
            autofocus
            value={secret}
            onInput={({ currentTarget }) => {
              setSecret(currentTarget.value);
            }}
          />
        </label>
        <button class="main" type="submit">
          Open
        </button>
        <p class="note">It is kept in this tab alone, until the tab is closed.</p>
      </form>
    </main>
  );
}
