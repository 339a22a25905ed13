import type { CodingAgentLevel } from '#contract/guard.ts';
import { attributeAliases, splitWords } from './attribute-aliases.ts';
import type { Json } from './attributes.ts';
import { isContent } from './content-names.ts';
import { interpret, type SpanMeaning } from './span-meaning.ts';
import type { OtelSpan } from './span.ts';

const ofTools: readonly (SpanMeaning | undefined)[] = ['tool', 'decision', 'retriever'];
const factual = /exception$|^gen_ai\.evaluation\.result$/;

/** Attributes of any type that contain no texts: those with a mapping, and some of coding agents. */
const facts = new Set<string>([
  ...Object.values(attributeAliases).flat(),
  ...splitWords(`
    gen_ai.tool.call.id tool tool_name tool_source tool_use_id call_id request_id conversation.id
    turn.id turn_id model speed decision source span.type llm_request.context status status_code
    stop_reason rpc.method rpc.system app_server.client_name app_server.client_version
    skill.name plugin.name agent_type server_name transport_type trigger hook_event hook_name
  `),
]);

/**
 * Removes the texts from a span that a device must not report. Clients are configured not to send
 * them, but some have fewer levels, and users may change the settings of others. What an attribute
 * without a mapping contains is unknown, so only its numbers and Booleans remain.
 */
export function withinLevel(span: OtelSpan, level: CodingAgentLevel): OtelSpan {
  if (level === 'tools') return span;
  const isOfTool = ofTools.includes(interpret(span.attributes));
  const keepsContent = level === 'prompts' && !isOfTool;
  const attributes = Object.entries(span.attributes).filter(([name, value]) =>
    isContent(name) ? keepsContent : facts.has(name) || !mayContainText(value),
  );
  return {
    ...span,
    attributes: Object.fromEntries(attributes),
    events: keepsContent
      ? span.events
      : isOfTool
        ? []
        : span.events.filter(({ name }) => factual.test(name)),
    // The error message of a tool may be its output.
    error: isOfTool && span.error !== null ? 'failed' : span.error,
  };
}

const mayContainText = (value: Json): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);
