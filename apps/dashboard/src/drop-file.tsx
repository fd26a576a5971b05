import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A place to drop a file into, or to choose one by. @param children what it asks for, and what it takes */
export function DropFile({ onFile, children }: { onFile: (file: File) => void; children: ComponentChildren }) {
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file !== undefined) onFile(file);
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
      <input
        type="file"
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          // so that the same file, mended, can be chosen again
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
