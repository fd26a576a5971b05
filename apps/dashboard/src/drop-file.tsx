import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A place to drop a file into, or to choose one by. @param children what it asks for, and what it takes */
export function DropFile({ onFile, children }: { onFile: (file: File) => void; children: ComponentChildren }) {
  const [isOver, setIsOver] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    setChosen(file.name);
    onFile(file);
  };
  return (
    <label
      class={`drop${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => {
        setIsOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      {children}
      <span class="chosen">{chosen ?? 'Choose a file'}</span>
      <input
        type="file"
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          // so that the same file, mended, can be chosen again; the browser would call that no file, so that its own
          // words are hidden
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
