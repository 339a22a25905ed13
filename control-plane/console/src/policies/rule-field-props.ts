import type { ComponentType } from 'react';
import type { FieldErrors } from './field-errors.ts';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleSchema } from './rule-schema.ts';

export interface RuleFieldProps {
  name: string;
  /** Path in the policy: `rules.max_per_minute`. */
  path: string;
  schema: RuleSchema;
  draft: RuleDraft;
  errors: FieldErrors;
  onChange: (draft: RuleDraft) => void;
}

/** Rules can be nested: the component of a rule is passed to the components of groups. */
export interface Nesting {
  Field: ComponentType<RuleFieldProps>;
}
