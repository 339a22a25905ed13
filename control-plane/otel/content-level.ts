import type { CodingAgentLevel } from '#contract/guard.ts';
import { isContent } from './content-names.ts';
import { interpret, type SpanMeaning } from './span-meaning.ts';
import type { OtelSpan } from './span.ts';

/** Attributes with texts that are read only by the rules of a client. */
const ofClients = new Set(['full_command', 'file_path', 'bash_command', 'user_prompt']);
const ofTools: readonly (SpanMeaning | undefined)[] = ['tool', 'decision', 'retriever'];
const factual = /exception$|^gen_ai\.evaluation\.result$/;

/**
 * Removes the texts from a span that a device must not report. Clients are configured not to send
 * them, but some have fewer levels, and users may change the settings of others.
 */
export function withinLevel(span: OtelSpan, level: CodingAgentLevel): OtelSpan {
  const isOfTool = ofTools.includes(interpret(span.attributes));
  if (level === 'tools' || (level === 'prompts' && !isOfTool)) return span;
  const attributes = Object.entries(span.attributes).filter(
    ([name]) => !isContent(name) && !ofClients.has(name),
  );
  return {
    ...span,
    attributes: Object.fromEntries(attributes),
    events: isOfTool ? [] : span.events.filter(({ name }) => factual.test(name)),
    // The error message of a tool may be its output.
    error: isOfTool && span.error !== null ? 'failed' : span.error,
  };
}
