import type { CodingAgentLevel } from '#contract/guard.ts';
import { attributeAliases, splitWords } from './attribute-aliases.ts';
import type { Json } from './attributes.ts';
import { clientOfScope } from './clients/known-clients.ts';
import { isContent } from './content-names.ts';
import { interpret, type SpanMeaning } from './span-meaning.ts';
import type { OtelSpan, SpanEvent } from './span.ts';

const ofTools: readonly (SpanMeaning | undefined)[] = ['tool', 'decision', 'retriever'];
const factual = /exception$|^gen_ai\.evaluation\.result$/;

/** Attributes that contain no texts, with any program and any type: most of those with a mapping. */
const facts = new Set<string>([
  ...Object.values(attributeAliases).flat(),
  ...splitWords('gen_ai.tool.call.id gen_ai.evaluation.name gen_ai.evaluation.score.label'),
]);

/** Attributes of coding agents with ids, names and words of a fixed list. */
const factsOfClients = new Set<string>(
  splitWords(`
    tool tool_name tool_source tool_use_id call_id request_id conversation.id turn.id turn_id
    model speed decision source span.type llm_request.context status status_code stop_reason
    rpc.method rpc.system app_server.client_name app_server.client_version skill.name plugin.name
    agent_type server_name transport_type trigger hook_event hook_name
    terminal.type codex.request.reasoning_effort provider modelId skillName mode
  `),
);

/** Attributes of coding agents with texts that rules read, and that no level below `tools` keeps. */
const textsOfClients = new Set<string>(
  splitWords('agent.path file_path full_command tool_input tool_parameters'),
);

/** A text, although it is no prompt, response or content of a tool. */
const EXPLANATION = 'gen_ai.evaluation.explanation';

/**
 * Removes the texts from a span that a device must not report. Clients are configured not to send
 * them, but some have fewer levels, and users may change the settings of others. What an attribute
 * without a mapping contains is unknown, so only its numbers and Booleans remain.
 */
export function withinLevel(span: OtelSpan, level: CodingAgentLevel): OtelSpan {
  if (level === 'tools') return span;
  const isOfTool = ofTools.includes(interpret(span.attributes));
  const keepsContent = level === 'prompts' && !isOfTool;
  const isOfClient = clientOfScope(span.scope.name) !== undefined;
  const isKept = ([name, value]: [string, Json]): boolean => {
    if (isContent(name) || name === EXPLANATION) return keepsContent;
    if (!mayContainText(value) || facts.has(name)) return true;
    return isOfClient && factsOfClients.has(name) && typeof value === 'string';
  };
  const attributes = Object.entries(span.attributes).filter(isKept);
  return {
    ...span,
    attributes: Object.fromEntries(attributes),
    events: keepsContent
      ? span.events
      : isOfTool
        ? []
        : span.events.filter(({ name }) => factual.test(name)).map(withoutExplanation),
    // The error message of a tool may be its output.
    error: isOfTool && span.error !== null ? 'failed' : span.error,
  };
}

/**
 * Returns what a level removed from the span of a coding agent because no rule knows it. What a
 * level keeps is stored with the run; of this, only the names may be.
 */
export function removedByLevel(
  received: OtelSpan,
  kept: OtelSpan,
): Pick<OtelSpan, 'attributes' | 'events'> {
  const removed = Object.entries(received.attributes).filter(
    ([name]) => !(name in kept.attributes) && !textsOfClients.has(name),
  );
  const events = new Set(kept.events.map(({ name }) => name));
  return {
    attributes: Object.fromEntries(removed),
    events: received.events.filter(({ name }) => !events.has(name)),
  };
}

const withoutExplanation = (event: SpanEvent): SpanEvent => {
  const { [EXPLANATION]: _, ...attributes } = event.attributes;
  return { ...event, attributes };
};

const mayContainText = (value: Json): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);
