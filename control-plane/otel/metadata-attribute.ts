import type { Attributes, Json } from './attributes.ts';
import { parsed } from './field.ts';
import { isObject } from './messages/read-message.ts';

/**
 * The names that applications use for values that have no attribute of their own in the framework.
 */
const names = {
  agent: ['lc_agent_name'],
  session: ['session_id', 'sessionId', 'thread_id', 'conversation_id'],
  user: ['user_id', 'userId'],
  provider: ['ls_provider'],
} as const;

/**
 * Reads the attribute `metadata`, one JSON object that OpenInference and Pydantic AI put on spans.
 * It contains what the application passed to the framework, such as the configuration of LangChain.
 */
export function metadataOf(attributes: Attributes) {
  if (attributes.metadata === undefined) return nothing;
  const metadata = parsed(attributes.metadata);
  const members = isObject(metadata) ? metadata : {};
  const text = (field: keyof typeof names): string | undefined => {
    const found = names[field].map((name) => members[name]).find(isName);
    return found === undefined ? undefined : String(found).slice(0, 200).toWellFormed();
  };
  return {
    agent: text('agent'),
    session: text('session'),
    user: text('user'),
    provider: text('provider'),
    tags: members.tags,
  };
}

const nothing = {
  agent: undefined,
  session: undefined,
  user: undefined,
  provider: undefined,
  tags: undefined,
};

const isName = (value: Json | undefined): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';
