import type { GuardLevel } from '#contract/guard.ts';
import type { Many } from '../data/many.ts';
import type { CatalogHost, GuardLayer } from '../data/guard-sources.ts';
import type { Device } from '../data/device-sources.ts';
import type { Draft } from './layer-draft.ts';

export interface LayerEditorProps {
  level: GuardLevel;
  /** Empty for the global layer. */
  scope: string;
  layers: readonly GuardLayer[];
  devices: Many<Device>;
  hosts: readonly CatalogHost[];
  editable: boolean;
  /** The unsaved draft, if any. */
  edited: Draft | undefined;
  onEdit: (draft: Draft | undefined) => void;
  /** Called after the layer was saved, to refetch the layers. */
  onWritten: () => Promise<unknown>;
}
