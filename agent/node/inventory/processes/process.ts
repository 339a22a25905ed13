export interface RunningProcess {
  name: string;
  /** The executable; null if this process may not see it. */
  path: string | null;
  user: string | null;
  /** The first words of its command line, to find an interpreter's script. Never reported. */
  words: readonly string[];
  listens: readonly { address: string; port: number }[];
}
