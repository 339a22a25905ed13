import type { Client } from './client.ts';

/**
 * opencode (`experimental.openTelemetry` in opencode.json), which has the spans of the Vercel AI
 * SDK among hundreds of its own. These name a part of the program as the agent, and a user
 * `unknown`. Its logs are plain lines.
 */
export const opencode: Client = {
  agent: 'opencode',
  isScope: (scope) => scope === 'opencode',
  followsTraces: true,
  sessionOf: () => undefined,
  readEvent: ({ event }) => (event === '' ? 'ignored' : undefined),
  readSpan(span) {
    if (!('ai.operationId' in span.attributes)) return span;
    const { 'ai.telemetry.metadata.userId': user, ...attributes } = span.attributes;
    return {
      ...span,
      attributes: {
        ...attributes,
        'gen_ai.agent.name': 'opencode',
        ...(user !== undefined && user !== 'unknown' && { 'user.id': user }),
      },
    };
  },
};
