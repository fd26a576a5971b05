/** Of more a number. */
const most = 5;

/** How an answer has read cells that are written otherwise than in training, and which do not fit their column. */
export function Remarks({ said }: { said: readonly string[] }) {
  if (said.length === 0) return null;
  return (
    <p class="note" role="note">
      {said.slice(0, most).join('; ')}
      {said.length > most && `; ${String(said.length - most)} more`}.
    </p>
  );
}
