import type { Inherited } from './inherited.ts';
import type { Draft } from './layer-draft.ts';

/** Props shared by all settings in a layer's form. */
export interface SettingProps {
  draft: Draft;
  inherited: Inherited;
  editable: boolean;
  onEdit: (draft: Draft) => void;
  /** Resets the setting to the inherited value. */
  onClear: () => void;
}
