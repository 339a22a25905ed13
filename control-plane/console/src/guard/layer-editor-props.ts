import type { GuardLevel } from '#contract/guard.ts';
import type { Many } from '../data/many.ts';
import type { CatalogHost, Device, GuardLayer } from '../data/sources.ts';
import type { Draft } from './layer-draft.ts';

export interface LayerEditorProps {
  level: GuardLevel;
  /** Empty for the global layer. */
  scope: string;
  layers: readonly GuardLayer[];
  devices: Many<Device>;
  hosts: readonly CatalogHost[];
  editable: boolean;
  /** What is changed and not saved. */
  edited: Draft | undefined;
  onEdit: (draft: Draft | undefined) => void;
  /** Reads again what the written layer changed. */
  onWritten: () => Promise<unknown>;
}
