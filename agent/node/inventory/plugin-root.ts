/** The home folder of one user. */
export interface Home {
  user: string;
  /** Absolute, seen from the tree's root. */
  dir: string;
}

/** The folder of one plugin of an agent. */
export interface PluginRoot {
  dir: string;
  tool: string;
  home: Home | undefined;
  /** What its manifest says. */
  manifest: Record<string, unknown>;
  /** The file that says so. */
  declaredIn: string;
  /** Of an installed plugin of Claude Code: what the list says of it. */
  listed?: { name: string; version: string | null; notes: readonly string[]; pinned: boolean };
}
