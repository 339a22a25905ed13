import { kindOf } from './rule-schema.ts';
import type { RuleKind, RuleSchema } from './rule-schema.ts';

/** An entry of a list or map. The key identifies it during editing. */
export interface DraftEntry {
  key: number;
  /** Key in the map; empty for lists. */
  name: string;
  value: RuleDraft;
}

/** Form state of a rule. Input is kept as text, so that invalid input is not lost. */
export type RuleDraft =
  | string
  | boolean
  | null
  | readonly string[]
  | { readonly [name: string]: RuleDraft }
  | { readonly entries: readonly DraftEntry[] };

export type GroupDraft = Record<string, RuleDraft>;

const draftOfKind: Record<RuleKind['kind'], (kind: RuleKind, value: unknown) => RuleDraft> = {
  number: (_, value) => textOf(value),
  text: (_, value) => textOf(value),
  choice: (_, value) => textOf(value),
  switch: (_, value) => value === true,
  list: (_, value) => arrayOf(value).map(textOf).join('\n'),
  several: (_, value) => arrayOf(value).map(textOf),
  json: (_, value) => (value === undefined ? '' : JSON.stringify(value, null, 2)),
  group: (kind, value) => {
    if (kind.kind !== 'group') return null;
    return kind.optional && !isObject(value) ? null : groupDraft(kind.fields, membersOf(value));
  },
  groups: (kind, value) => {
    const fields = kind.kind === 'groups' ? kind.fields : {};
    return entriesOf(arrayOf(value).map((one) => ['', groupDraft(fields, membersOf(one))]));
  },
  named: (kind, value) => {
    const schema = kind.kind === 'named' ? kind.value : {};
    return entriesOf(
      Object.entries(membersOf(value)).map(([name, one]) => [name, draftOf(schema, one)]),
    );
  },
};

export function draftOf(schema: RuleSchema, value: unknown): RuleDraft {
  const kind = kindOf(schema);
  return draftOfKind[kind.kind](kind, value ?? schema.default);
}

/** Creates the drafts of all fields from their values or defaults. */
export const groupDraft = (
  fields: Record<string, RuleSchema>,
  value: Record<string, unknown>,
): GroupDraft =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, draftOf(schema, value[name])]),
  );

/** The value of a draft; undefined if it is empty. The service validates it, not the form. */
export function valueOf(schema: RuleSchema, draft: RuleDraft): unknown {
  const kind = kindOf(schema);
  switch (kind.kind) {
    case 'number':
      return numberOf(draft);
    case 'text':
    case 'choice':
      return draft === '' ? undefined : draft;
    case 'list':
      return linesOf(draft).map((line) => (kind.of === 'number' ? numberOf(line) : line));
    case 'json':
      return jsonOf(draft);
    case 'group':
      return draft === null ? undefined : groupValue(kind.fields, draft as GroupDraft);
    case 'groups':
      return entriesIn(draft).map(({ value }) => groupValue(kind.fields, value as GroupDraft));
    case 'named':
      return Object.fromEntries(
        entriesIn(draft).map(({ name, value }) => [name.trim(), valueOf(kind.value, value)]),
      );
    case 'switch':
    case 'several':
      return draft;
  }
}

export const groupValue = (
  fields: Record<string, RuleSchema>,
  draft: GroupDraft,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, schema]) => [name, valueOf(schema, draft[name] ?? null)] as const)
      .filter(([, value]) => value !== undefined),
  );

export const entriesIn = (draft: RuleDraft): readonly DraftEntry[] =>
  isObject(draft) && Array.isArray(draft.entries) ? (draft.entries as DraftEntry[]) : [];

const entriesOf = (pairs: readonly (readonly [name: string, value: RuleDraft])[]): RuleDraft => ({
  entries: pairs.map(([name, value], key) => ({ key, name, value })),
});

/**
 * Parses a number. Other text is returned unchanged, so that the service rejects it with an
 * explanation.
 */
function numberOf(draft: unknown): unknown {
  const text = textOf(draft).trim();
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function jsonOf(draft: RuleDraft): unknown {
  const text = textOf(draft).trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Trimmed lines without the empty ones. */
export const linesOf = (draft: unknown): string[] =>
  textOf(draft)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
