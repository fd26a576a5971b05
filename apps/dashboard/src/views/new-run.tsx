import { useEffect, useRef, useState } from 'preact/hooks';
import { useCluster } from '../cluster/cluster.js';
import { ask, send, type Sent } from '../cluster/questions.js';
import { DropFile } from '../drop-file.js';
import { go } from '../route.js';
import { bytes, count, counted, messageOf, percent } from '../words.js';
import { Problem } from '../problem.js';

interface Variable {
  readonly name: string;
  readonly kind: string;
  readonly values: string;
  readonly holes: number;
  readonly warnings: readonly string[];
}

interface Description {
  readonly format: string;
  readonly rows: number;
  readonly notes: readonly string[];
  readonly variables: readonly Variable[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

interface Splits {
  readonly model: string;
  readonly train: string;
  readonly valid: string;
  readonly test: string | null;
  /** Of weighed rows, which have one model. */
  readonly members?: 1;
}

/** What is looked through before anything is sent: of a longer text its first lines. */
const lookBytes = 8 << 20;
const kinds = ['binary', 'categorical', 'ordered', 'excluded'];
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  jsonl: 'application/jsonl',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.file',
  feather: 'application/vnd.apache.arrow.file',
  libsvm: 'application/x-libsvm',
};

/** The media type of a file by its name; the coordinator looks at the content of any other. */
const typeOf = (name: string): string =>
  types[/\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? ''] ?? 'application/octet-stream';

const isText = (name: string): boolean => /\.(csv|tsv|jsonl|ndjson|libsvm|txt|data)$/i.test(name);

export function NewRun() {
  const { caller } = useCluster();
  const [file, setFile] = useState<File | null>(null);
  const [said, setSaid] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  if (caller.access !== 'full')
    return (
      <p class="problem">
        “{caller.name}” may look on, and submit nothing: ask whoever runs this cluster for the role of a submitter, or a
        token with full access.
      </p>
    );
  const take = (given: File): void => {
    setFile(null);
    setSaid({});
    if (given.size > caller.mostUploadBytes) {
      setProblem(
        `${given.name} has ${bytes(given.size)}, and this coordinator takes at most ${bytes(caller.mostUploadBytes)}: ` +
          `orchard submit ${given.name} sends it packed, a fraction of that.`,
      );
      return;
    }
    if (given.size === 0) {
      setProblem(`${given.name} is empty, or a folder: drop one file with a row a line.`);
      return;
    }
    setProblem(null);
    setFile(given);
  };
  return (
    <>
      <div class="bar">
        <h1>New run</h1>
      </div>
      <DropFile onFile={take}>
        <b>Drop a table here, or choose one</b>
        <span class="note">CSV, Parquet, Arrow, JSON lines, NumPy, libsvm; up to {bytes(caller.mostUploadBytes)}</span>
      </DropFile>
      <Problem text={problem} />
      {file !== null && (
        <Described key={file.name + String(file.lastModified)} file={file} said={said} onSay={setSaid} />
      )}
    </>
  );
}

function Described({
  file,
  said,
  onSay,
}: {
  file: File;
  said: Readonly<Record<string, string>>;
  onSay: (said: Readonly<Record<string, string>>) => void;
}) {
  const [description, setDescription] = useState<Description | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const typeWords = Object.entries(said)
    .map(([name, kind]) => `${name}=${kind}`)
    .join(',');
  const isCut = isText(file.name) && file.size > lookBytes;
  useEffect(() => {
    let isLeft = false;
    setProblem(null);
    const query = new URLSearchParams({ describe: 'true' });
    if (typeWords !== '') query.set('types', typeWords);
    let sent: Sent | null = null;
    void firstLines(file, isCut)
      .then((part) => {
        sent = send(`/v1/datasets?${query.toString()}`, part, typeOf(file.name), () => undefined);
        return sent.answer;
      })
      .then(
        (answer) => {
          if (!isLeft) setDescription(answer as Description);
        },
        (error: unknown) => {
          if (!isLeft) setProblem(messageOf(error));
        },
      );
    return () => {
      isLeft = true;
      sent?.stop();
    };
  }, [file, typeWords, isCut]);
  return (
    <>
      <section aria-label="What would be learned">
        <h2>{file.name}</h2>
        <Problem text={problem} />
        {description === null && problem === null && <p class="note">Looking through {bytes(file.size)}…</p>}
        {description !== null && (
          <>
            <p>
              {isCut ? `In the first ${bytes(lookBytes)} ` : ''}
              {counted(description.rows, 'row')}, {counted(description.variables.length, 'column')} of{' '}
              {description.format}.
            </p>
            {description.notes.map((note) => (
              <p class="note" key={note}>
                {note}
              </p>
            ))}
            <div class="wide" tabIndex={0} role="region" aria-label="Columns">
              <table>
                <thead>
                  <tr>
                    <th scope="col">column</th>
                    <th scope="col">kind</th>
                    <th scope="col">values</th>
                    <th scope="col">holes</th>
                  </tr>
                </thead>
                <tbody>
                  {description.variables.map((variable) => (
                    <tr key={variable.name}>
                      <td>{variable.name}</td>
                      <td>
                        <Kind
                          name={variable.name}
                          kind={said[variable.name] ?? variable.kind}
                          said={said}
                          onSay={onSay}
                        />
                      </td>
                      <td>
                        {variable.values} <span class="note">{variable.warnings.join(', ')}</span>
                      </td>
                      <td>{variable.holes === 0 ? '' : count(variable.holes)}</td>
                    </tr>
                  ))}
                  {description.leftOut.map(({ name, why }) => (
                    <tr key={name} class="left-out">
                      <td>{name}</td>
                      <td>
                        <Kind name={name} kind="excluded" said={said} onSay={onSay} />
                      </td>
                      <td colSpan={2}>left out: {why}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </section>
      {description !== null && problem === null && (
        <Submission file={file} types={typeWords} numbers={numbersOf(description)} />
      )}
    </>
  );
}

function Kind({
  name,
  kind,
  said,
  onSay,
}: {
  name: string;
  kind: string;
  said: Readonly<Record<string, string>>;
  onSay: (said: Readonly<Record<string, string>>) => void;
}) {
  return (
    <select
      aria-label={`What ${name} is`}
      value={kind}
      onChange={({ currentTarget }) => {
        onSay({ ...said, [name]: currentTarget.value });
      }}
    >
      {kinds.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

/** The name of a file as a run may have it. */
function runNameOf({ name }: File): string | undefined {
  const plain = name.replace(/\p{C}/gu, ' ').trim().slice(0, 200);
  return plain === '' ? undefined : plain;
}

/** The columns that may weigh rows. */
function numbersOf({ variables }: Description): readonly string[] {
  return variables.filter(({ kind }) => kind === 'ordered').map(({ name }) => name);
}

function Submission({ file, types: typeWords, numbers }: { file: File; types: string; numbers: readonly string[] }) {
  const { caller } = useCluster();
  const [preset, setPreset] = useState('default');
  const [validShare, setValidShare] = useState(0.1);
  const [weights, setWeights] = useState('');
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useRef<Sent | null>(null);
  useEffect(() => () => sending.current?.stop(), []);
  const submit = async (): Promise<void> => {
    setProblem(null);
    setShare(0);
    const query = new URLSearchParams({ 'valid-fraction': String(validShare) });
    if (typeWords !== '') query.set('types', typeWords);
    if (numbers.includes(weights)) query.set('weights', weights);
    sending.current = send(`/v1/datasets?${query.toString()}`, file, typeOf(file.name), setShare);
    const { model, train, valid, test, members } = (await sending.current.answer) as Splits;
    const { id } = await ask<{ id: string }>('/v1/runs', {
      method: 'POST',
      json: { model, train, valid, test, preset, members, name: runNameOf(file) },
    });
    go('runs', id);
  };
  return (
    <section aria-label="Submit">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit().catch((error: unknown) => {
            setShare(null);
            setProblem(messageOf(error));
          });
        }}
      >
        <div class="bar">
          <label>
            Preset{' '}
            <select
              value={preset}
              onChange={({ currentTarget }) => {
                setPreset(currentTarget.value);
              }}
            >
              {caller.presets.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            Share that validates{' '}
            <input
              type="number"
              min={0.01}
              max={0.9}
              step={0.01}
              value={validShare}
              onChange={({ currentTarget }) => {
                setValidShare(Math.min(0.9, Math.max(0.01, Number(currentTarget.value) || 0.1)));
              }}
            />
          </label>
          {numbers.length > 0 && (
            <label>
              Rows are weighed by{' '}
              <select
                value={weights}
                onChange={({ currentTarget }) => {
                  setWeights(currentTarget.value);
                }}
              >
                <option value="">no column</option>
                {numbers.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <button class="main" type="submit" disabled={share !== null}>
            Submit
          </button>
          {share !== null && (
            <button
              type="button"
              onClick={() => {
                sending.current?.stop();
              }}
            >
              Stop
            </button>
          )}
        </div>
        {share !== null && (
          <p role="status">
            <progress max={1} value={share} aria-label="Sent" />{' '}
            {share < 1 ? `${percent(share)} of ${bytes(file.size)} sent` : 'Sent; its rows are read and stored…'}
          </p>
        )}
        <Problem text={problem} />
      </form>
    </section>
  );
}

/** The whole lines that a long text begins with; any other file whole. */
async function firstLines(file: File, isCut: boolean): Promise<Blob> {
  if (!isCut) return file;
  const beginning = new Uint8Array(await file.slice(0, lookBytes).arrayBuffer());
  const end = beginning.lastIndexOf(10);
  return file.slice(0, end < 0 ? lookBytes : end + 1);
}
