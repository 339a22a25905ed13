import type { ComponentType } from 'react';
import type { FieldErrors } from './field-errors.ts';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleSchema } from './rule-schema.ts';

export interface RuleFieldProps {
  name: string;
  /** As the service names it: `rules.max_per_minute`. */
  place: string;
  schema: RuleSchema;
  draft: RuleDraft;
  errors: FieldErrors;
  onChange: (draft: RuleDraft) => void;
}

/** Rules hold rules: what draws one is handed to what draws those that hold others. */
export interface Nesting {
  Field: ComponentType<RuleFieldProps>;
}
