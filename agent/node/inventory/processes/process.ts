export interface RunningProcess {
  name: string;
  /** The executable, null where this process may not see it. */
  path: string | null;
  user: string | null;
  /** First words of its command line, for finding the script of an interpreter. Never reported. */
  words: readonly string[];
  listens: readonly { address: string; port: number }[];
}
