import type { Attributes } from '../attributes.ts';
import { splitWords } from '../attribute-aliases.ts';
import type { LogRecord } from '../logs/log-record.ts';
import { type Client, countIn, definedMembers, type Report, textIn } from './client.ts';

/**
 * Cursor's servers (OpenTelemetry Export of the Enterprise plan), which send logs and metrics for a
 * team. Logs have counts and ids, and texts only for cloud agents. Nothing ties them to the events
 * of Cursor's hooks on a device, so a team uses one of the two.
 *
 * Names, types and ids: https://cursor.com/docs/enterprise/opentelemetry-export/wire. Real records
 * were not available.
 */
export const cursor: Client = {
  agent: 'cursor',
  isScope: (scope) => scope === 'cursor.telemetry',
  followsTraces: false,
  sessionOf,
  readEvent(record) {
    const event = eventOf(record);
    if (event === undefined) return undefined;
    if (ignored.test(event)) return 'ignored';
    const report = readers.get(event)?.(record);
    // Calls of one request share its id; other surfaces have only the conversation.
    return report && { ...report, turn: textIn(record.attributes, 'cursor.request.id') };
  },
};

/**
 * Corrections of invoices, lifecycles and the actions of Grok Bot, which are no calls or tools of a
 * run.
 */
const ignored = /^(api[._]correction|hook[._]|plugin[._]|cloud_agent[._]|grok_bot[._])/;

/** The name of an event, which is also the constant body of the records without texts. */
function eventOf({ event, body }: LogRecord): string | undefined {
  if (event.startsWith('cursor.')) return event.slice('cursor.'.length);
  return event === '' && typeof body === 'string' && constantBodies.has(body)
    ? body.replace(/^(api|skill|hook|plugin)_/, '$1.')
    : undefined;
}

const constantBodies = new Set(
  splitWords('api_request api_error skill_activated hook_execution_complete plugin_installed'),
);

const readers = new Map<string, (record: LogRecord) => Report>([
  [
    'api.request',
    (record) => ({
      ...callOf(record),
      attributes: definedMembers({
        ...callAttributes(record),
        ...usageOf(record.attributes),
      }),
    }),
  ],
  [
    'api.error',
    (record) => ({ ...callOf(record), attributes: callAttributes(record), error: 'failed' }),
  ],
  [
    'skill.activated',
    (record) => ({
      name: 'skill_activated',
      isNote: true,
      attributes: definedMembers({
        ...identity(record),
        'gen_ai.operation.name': 'event',
        'skill.name': textIn(record.attributes, 'cursor.skill.name'),
        trigger: textIn(record.attributes, 'cursor.skill.trigger'),
        source: textIn(record.attributes, 'cursor.skill.source'),
      }),
    }),
  ],
]);

function sessionOf({ attributes }: LogRecord): string | undefined {
  return textIn(attributes, 'cursor.conversation.id');
}

const identity = (record: LogRecord): Attributes =>
  definedMembers({
    'session.id': sessionOf(record),
    'user.id': textIn(record.resource, 'cursor.user.email', 'cursor.user.account_id'),
    'gen_ai.agent.name': 'cursor',
  });

/** A record that is sent again has the same ids. A failed call may also be a request. */
const callOf = ({ attributes }: LogRecord) => ({
  name: 'api_request',
  call: textIn(attributes, 'cursor.usage_event.id', 'cursor.event.id'),
  decides: true,
});

const callAttributes = (record: LogRecord): Attributes =>
  definedMembers({
    ...identity(record),
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': textIn(record.attributes, 'cursor.model.name'),
  });

/**
 * The four counts are parts of a sum, like the types of the metric `cursor.token.usage`, and as in
 * the examples of the Admin API, which has the same usage events
 * (https://cursor.com/docs/account/teams/admin-api): the input excludes cached tokens.
 */
function usageOf(attributes: Attributes) {
  const count = (kind: string): number | undefined =>
    countIn(attributes, `cursor.api.request.${kind}_tokens`);
  const read = count('cache_read') ?? 0;
  const written = count('cache_creation') ?? 0;
  return {
    'gen_ai.usage.input_tokens': (count('input') ?? 0) + read + written,
    'gen_ai.usage.output_tokens': count('output'),
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_write.input_tokens': written,
  };
}
