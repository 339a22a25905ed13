import type { CodingAgentLevel } from '#contract/guard.ts';
import { isContent } from './content-names.ts';
import { interpret, type SpanMeaning } from './interpret.ts';
import type { OtelSpan } from './span.ts';

/** Texts that only the rules of a client read. */
const ofClients = new Set(['full_command', 'file_path', 'bash_command', 'user_prompt']);
const ofTools: readonly (SpanMeaning | undefined)[] = ['tool', 'decision', 'retriever'];
const factual = /exception$|^gen_ai\.evaluation\.result$/;

/**
 * A span with no more texts than a device is to report. Clients are set to send no more, but some
 * have fewer levels, and the settings of others a user may change.
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
