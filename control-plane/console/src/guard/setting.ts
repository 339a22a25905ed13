import type { Inherited } from './inherited.ts';
import type { Draft } from './layer-draft.ts';

/** What the parts of a layer's form share. */
export interface SettingProps {
  draft: Draft;
  inherited: Inherited;
  editable: boolean;
  onEdit: (draft: Draft) => void;
  /** Back to what is inherited. */
  onClear: () => void;
}
