import type { SpanReader } from './client.ts';

const SENT = 'gen_ai.server.time_to_first_token';

/**
 * Strands Agents for Python (strands-agents 1.62.0, `strands/telemetry/tracer.py`). It sends the
 * time to the first token in milliseconds, under a name that other instrumentations, such as
 * OpenLIT, use for seconds. (Strands for JavaScript sends it only as a metric.) As the provider it
 * names itself.
 */
export const strands: SpanReader = {
  isScope: (scope) => scope === 'strands.telemetry.tracer',
  readSpan(span) {
    const {
      [SENT]: ms,
      'gen_ai.system': _system,
      'gen_ai.provider.name': _provider,
      ...attributes
    } = span.attributes;
    return {
      ...span,
      attributes: typeof ms === 'number' ? { ...attributes, [SENT]: ms / 1000 } : attributes,
    };
  },
};
