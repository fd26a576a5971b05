import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Something to try where no file is at hand. */
interface Sample {
  readonly words: string;
  readonly load: () => Promise<void>;
}

interface FilePlaceProps {
  readonly title: string;
  readonly words: string;
  /** Endings of the names that are offered, as the browser wants them. */
  readonly accept: string;
  readonly isOff?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly sample: Sample | null;
  /** Of the file that was taken. */
  readonly name: string | null;
  readonly children?: ComponentChildren;
}

/** A place to drop a file into, or to choose one by. */
export function FilePlace({ title, words, accept, isOff = false, onFiles, sample, name, children }: FilePlaceProps) {
  const [isOver, setIsOver] = useState(false);
  const [noSample, setNoSample] = useState(false);
  return (
    <section
      class={`place${isOver ? ' over' : ''}${isOff ? ' off' : ''}`}
      aria-label={title}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(!isOff);
      }}
      onDragLeave={() => {
        setIsOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length > 0 && (!isOff || files.length > 1)) onFiles(files);
      }}
    >
      <strong>{title}</strong>
      <label>
        <span class="button">Choose a file</span>
        <input
          type="file"
          accept={accept}
          disabled={isOff}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            // so that the same file, mended, can be chosen again
            currentTarget.value = '';
            if (files.length > 0) onFiles(files);
          }}
        />
      </label>{' '}
      or drop it here
      <div class="words">{isOff ? 'Open a model first.' : (name ?? words)}</div>
      {sample !== null && (
        <button
          type="button"
          onClick={() => {
            sample.load().then(
              () => {
                setNoSample(false);
              },
              () => {
                setNoSample(true);
              },
            );
          }}
        >
          {sample.words}
        </button>
      )}
      {noSample && <div class="words">It could not be loaded. Check the connection and try again.</div>}
      {children}
    </section>
  );
}
