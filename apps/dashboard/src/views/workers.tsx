import { useCluster } from '../cluster/cluster.js';
import { Lanes } from '../run/lanes.js';

export function Workers() {
  const { cluster } = useCluster();
  return (
    <>
      <div class="bar">
        <h1>Workers</h1>
      </div>
      {cluster === null ? (
        <p class="note">Reading who is there…</p>
      ) : (
        <section aria-label="Workers">
          <Lanes workers={cluster.workers} run={null} />
        </section>
      )}
      <p class="note">
        One that falls silent is shown for two and a half minutes more. The queue itself is at <code>/queues</code>.
      </p>
    </>
  );
}
