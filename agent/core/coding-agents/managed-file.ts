/** The text that a file should have, or one line that says why it is left alone. */
export type Wanted = { text: string } | { error: string };

/** One file through which an administrator manages a tool, with settings of ours for a purpose. */
export interface ManagedFile<Purpose> {
  /** The tool, as people know it. */
  tool: string;
  /** Absolute, for every user of the computer. */
  path: string;
  /** With our settings, given what is there now. */
  withSettings: (present: string | null, purpose: Purpose) => Wanted;
  /** The same file without what is ours; null if nothing else is in it. */
  withoutSettings: (present: string) => string | null;
}
