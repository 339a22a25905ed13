import type { Attributes } from '../attributes.ts';
import { promptOf } from '../messages/prompt.ts';
import { hexIdOf } from '../span.ts';
import type { OtelSpan } from '../span.ts';
import { definedMembers, textIn } from './client.ts';

/** The scope of the spans that Cline sends to the address in `LANGFUSE_BASE_URL`. */
export const CLINE_SPANS = 'cline-langfuse-direct';

/**
 * Reads a span of Cline (3.0.65), which uses the GenAI conventions. Each request to a model is a
 * trace of its own, of the agent, its step and the call; the work on one prompt has the same
 * `runId`, so its calls become one run. Tools have no spans.
 */
export function readClineSpan(span: OtelSpan): OtelSpan | 'ignored' {
  const { attributes } = span;
  const run = textIn(attributes, 'langfuse.observation.metadata.runId');
  if (run === undefined) return span;
  const trace_id = hexIdOf(['cline', run], 32);
  const placed = { ...span, trace_id, parent_span_id: hexIdOf(['root', trace_id], 16) };
  switch (attributes['gen_ai.operation.name']) {
    case 'chat':
      return {
        ...placed,
        attributes: named(attributes),
        client: { decides: true, ...(!callsTools(attributes) && { role: 'answer' }) },
      };
    case 'invoke_agent':
      // The agent of a later request has the same prompt, and the results of tools after it.
      if (textIn(attributes, 'langfuse.observation.metadata.iteration') !== '1') return 'ignored';
      return {
        ...placed,
        name: 'prompt',
        attributes: definedMembers({
          ...identity(attributes),
          'gen_ai.operation.name': 'event',
          'input.value': promptOf(span).findLast(({ role }) => role === 'user')?.content,
        }),
        client: { role: 'prompt', is_payload: true },
      };
    default:
      return 'ignored';
  }
}

const callsTools = (attributes: Attributes): boolean =>
  JSON.stringify(attributes['gen_ai.response.finish_reasons'] ?? '').includes('tool');

/** The name of the agent in these spans is that of a part of the program. */
function named(attributes: Attributes): Attributes {
  const { 'user.id': _user, ...others } = attributes;
  return { ...others, ...identity(attributes) };
}

const identity = (attributes: Attributes): Attributes =>
  definedMembers({
    'session.id': textIn(attributes, 'session.id'),
    'user.id': personIn(attributes),
    'gen_ai.agent.name': 'cline',
  });

/** Without an account of Cline, the user is a hash of the computer. */
function personIn(attributes: Attributes): string | undefined {
  const user = textIn(attributes, 'user.id');
  return user === undefined || /^[0-9a-f]{64}$/.test(user) ? undefined : user;
}
