/** The Python of an environment that holds exactly these packages; made on first use. */
export function pythonWith(pins: readonly string[], say: (line: string) => void): string;

/** The Python of the peers. */
export function peersPython(say: (line: string) => void): string;
