import { useEffect, useState } from 'preact/hooks';

/**
 * Where the user is: `#/runs/9d41…` is `['runs', '9d41…']`. In the address, so that a reload, a bookmark and the back
 * button do what they say.
 */
export function useRoute(): readonly string[] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = (): void => {
      setHash(location.hash);
      window.scrollTo(0, 0);
    };
    window.addEventListener('hashchange', change);
    return () => {
      window.removeEventListener('hashchange', change);
    };
  }, []);
  return hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
}

export function go(...parts: readonly string[]): void {
  location.hash = `#/${parts.map(encodeURIComponent).join('/')}`;
}

export const to = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;
