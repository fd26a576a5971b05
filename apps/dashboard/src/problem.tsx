/** What went wrong, where it did; nothing where nothing has. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
