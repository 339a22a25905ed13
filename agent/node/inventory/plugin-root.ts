/** The home folder of one user. */
export interface Home {
  user: string;
  /** The absolute path, as seen from the tree's root. */
  dir: string;
}

/** The folder of one plugin of an agent. */
export interface PluginRoot {
  dir: string;
  tool: string;
  home: Home | undefined;
  /** The content of its manifest. */
  manifest: Record<string, unknown>;
  /** The file with the manifest. */
  declaredIn: string;
  /** For an installed plugin of Claude Code: its entry in the list. */
  listed?: { name: string; version: string | null; notes: readonly string[]; pinned: boolean };
}
