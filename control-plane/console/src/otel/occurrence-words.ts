import { plural, t } from '@lingui/core/macro';
import type { UnmappedExample, UnmappedName } from '../data/otel-sources.ts';

/** Names the type of a value and its length, such as `Text, 340 characters`. */
export function typeOfExample({ type, length }: UnmappedExample): string {
  const count = length ?? 0;
  switch (type) {
    case 'string':
      return plural(count, { one: 'Text, # character', other: 'Text, # characters' });
    case 'array':
      return plural(count, { one: 'List, # item', other: 'List, # items' });
    case 'object':
      return plural(count, { one: 'Object, # member', other: 'Object, # members' });
    case 'event':
      return plural(count, { one: 'Event, # attribute', other: 'Event, # attributes' });
    case 'number':
      return t`Number`;
    case 'boolean':
      return t`True or false`;
    case 'null':
      return t`No value`;
  }
}

/** The name and version of an instrumentation; empty if it has none. */
export const instrumentationOf = ({
  scope,
  scope_version,
}: Pick<UnmappedName, 'scope' | 'scope_version'>): string => `${scope} ${scope_version}`.trim();
