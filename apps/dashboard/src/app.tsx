import { useEffect, useState } from 'preact/hooks';
import { ClusterProvider, useCluster, type Caller } from './cluster/cluster.js';
import { ask, Refused, token, whenTokenIsRefused } from './cluster/questions.js';
import { comeBack } from './cluster/sign-in.js';
import { useTicks } from './cluster/use-answer.js';
import { to, useRoute } from './route.js';
import { Compare } from './views/compare.js';
import { ModelPage } from './model/model-page.js';
import { NewRun } from './views/new-run.js';
import { RunPage } from './run/run-page.js';
import { Runs } from './views/runs.js';
import { TokenEntry } from './views/token-entry.js';
import { Workers } from './views/workers.js';
import { ago, messageOf } from './words.js';

/** The whole page: it signs the user in first, since it shows nothing without. */
export function App() {
  const [caller, setCaller] = useState<Caller | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    whenTokenIsRefused(() => {
      const had = token.get() !== null;
      const wasSignIn = token.isOfSignIn();
      token.forget();
      setCaller(null);
      setIsAsked(true);
      // several questions may be refused at once, and the second finds no token any more
      if (had)
        setProblem(
          wasSignIn
            ? 'Your sign-in is not good any more: it has expired, or was withdrawn. Sign in again.'
            : 'This token is not accepted (any more): it is mistyped, or was changed or withdrawn.',
        );
    });
    const find = async (): Promise<void> => {
      const failure = await comeBack();
      if (failure !== null) {
        setProblem(failure);
        setIsAsked(true);
        return;
      }
      setCaller(await ask<Caller>('/v1/caller'));
    };
    find().catch((error: unknown) => {
      if (error instanceof Refused && error.status === 401) return;
      // a user who is known and has no role: another token is the only way on
      if (error instanceof Refused && error.status === 403) {
        token.forget();
        setIsAsked(true);
      }
      setProblem(messageOf(error));
    });
  }, [tries]);
  const again = (): void => {
    setProblem(null);
    setTries(tries + 1);
  };
  if (caller !== null)
    return (
      <ClusterProvider caller={caller}>
        <Page
          onLeave={() => {
            token.forget();
            setCaller(null);
            setIsAsked(true);
          }}
        />
      </ClusterProvider>
    );
  if (isAsked) return <TokenEntry problem={problem} onToken={again} />;
  if (problem === null) return <main class="empty">One moment…</main>;
  return (
    <main class="empty">
      <p role="alert">{problem}</p>
      <button onClick={again}>Try again</button>
    </main>
  );
}

function Page({ onLeave }: { onLeave: () => void }) {
  const route = useRoute();
  const { caller } = useCluster();
  const [place = 'runs', id = '', part = ''] = route;
  const links = [
    ['runs', 'Runs'],
    ...(caller.place === 'local'
      ? []
      : [...(caller.access === 'full' ? [['new', 'New run']] : []), ['workers', 'Workers']]),
  ] as [string, string][];
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <header class="top">
        <a class="mark" href={to('runs')}>
          <Mark /> Orchard
        </a>
        <nav aria-label="Pages">
          {links.map(([name, words]) => (
            <a key={name} href={to(name)} aria-current={place === name && id === '' ? 'page' : undefined}>
              {words}
            </a>
          ))}
        </nav>
        <Sign />
        {token.get() !== null && (
          <button
            class="plain"
            onClick={onLeave}
            title={`Forget the token of this tab${caller.role === undefined ? '' : `; here you are: ${caller.role}`}`}
          >
            {caller.name} · leave
          </button>
        )}
      </header>
      <StaleNotice />
      <main id="content" tabIndex={-1}>
        {place === 'runs' && id === '' && <Runs />}
        {place === 'runs' && id !== '' && part === '' && <RunPage key={id} id={id} />}
        {place === 'runs' && part === 'model' && <ModelPage key={id} id={id} />}
        {place === 'compare' && <Compare key={id} ids={id.split(',')} />}
        {place === 'new' && <NewRun />}
        {place === 'workers' && <Workers />}
        {!['runs', 'compare', 'new', 'workers'].includes(place) && (
          <p>
            There is no such page. <a href={to('runs')}>The runs</a> are here.
          </p>
        )}
      </main>
    </>
  );
}

const words = { live: 'live', polling: 'every 4 s', waiting: 'no connection' } as const;

/** How true the page is, in a word. */
function Sign() {
  const { freshness } = useCluster();
  const isFirst = freshness.heardAt === null && freshness.reason === null;
  return (
    <span class={`sign ${isFirst ? 'polling' : freshness.way}`} role="status">
      {isFirst ? 'connecting' : words[freshness.way]}
    </span>
  );
}

/** A page that shows what was is to say so, and since when. */
function StaleNotice() {
  const { freshness } = useCluster();
  useTicks(1000, freshness.way === 'waiting');
  if (freshness.way !== 'waiting' || freshness.reason === null) return null;
  const since = freshness.heardAt === null ? '' : ` What stands here is of ${ago(freshness.heardAt)}.`;
  return (
    <p class="stale" role="alert">
      {freshness.reason}
      {since} It is tried again by itself.
    </p>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" fill="none" aria-hidden="true">
      <path d="M12 22V9M12 15 6.5 10.5M12 12l5.5-4.5" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" />
      <circle cx="6" cy="8" r="2.6" fill="currentColor" />
      <circle cx="18" cy="5.5" r="2.6" fill="currentColor" />
      <circle cx="12" cy="5" r="2.6" fill="currentColor" />
    </svg>
  );
}
