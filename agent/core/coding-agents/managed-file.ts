/** The desired text of a file, or one line with the reason to leave it unchanged. */
export type DesiredContent = { text: string } | { error: string };

/**
 * A file through which an administrator manages a tool, with the agent's settings for a purpose.
 */
export interface ManagedFile<Purpose> {
  /** The tool's display name. */
  tool: string;
  /** Absolute; applies to every user of the computer. */
  path: string;
  /** The present text with the agent's settings added. */
  withSettings: (present: string | null, purpose: Purpose) => DesiredContent;
  /**
   * The text without the agent's settings; null if nothing else remains. `original` is the text
   * before any agent wrote it, if it is known; null if there was none.
   */
  withoutSettings: (present: string, original?: string | null) => string | null;
}
