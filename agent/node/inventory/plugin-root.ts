import type { Settings } from './loaded-text.ts';
import type { Home } from './places/places.ts';

/** The folder of one plugin of an agent. */
export interface PluginRoot {
  dir: string;
  tool: string;
  home: Home | undefined;
  /** What its manifest says. */
  manifest: Settings;
  /** The file that says so. */
  declaredIn: string;
  /** Of an installed plugin of Claude Code: what the list says of it. */
  listed?: { name: string; version: string | null; notes: readonly string[]; pinned: boolean };
}
