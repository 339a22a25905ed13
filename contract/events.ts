import { z } from 'zod';
import {
  count,
  idParam,
  jsonObject,
  paging,
  range,
  startBeforeEnd,
  timestamp,
  truncated,
  growingPage,
} from './fields.ts';
import { batchId } from './recording.ts';
import { routes } from './route.ts';

/** A recorded event, with the fields that can be filtered. */
export const eventRecord = z.object({
  id: z.int(),
  event_type: z.string().nullable(),
  agent_name: z.string().nullable(),
  action: z.string().nullable(),
  operator: z.string().nullable(),
  reason: z.string().nullable(),
  run_id: z.int().nullable(),
  occurred_at: timestamp.meta({
    description: '`timestamp` of the event, else the time of recording',
  }),
  created_at: timestamp,
  body: jsonObject.meta({ description: 'the event with all its fields' }),
});

export const listedEvent = eventRecord.extend({
  body: eventRecord.shape.body.nullable(),
  truncated: truncated('the body is too long for a list and null here'),
});

export const eventRoutes = routes({
  recordEvents: {
    auth: 'api-key',
    permission: 'record',
    errors: 'text',
    method: 'POST',
    path: '/api/v1/observe/events/',
    summary: 'Record governance or audit events of any shape',
    body: z
      .object({ batch_id: batchId, events: z.array(z.record(z.string(), z.unknown())).max(1000) })
      .meta({
        examples: [
          {
            events: [
              {
                event_type: 'manual_override',
                agent_name: 'support',
                action: 'allow',
                operator: 'ada@example.com',
                reason: 'customer confirmed by phone',
                timestamp: '2026-03-01T10:00:00Z',
              },
            ],
          },
        ],
      }),
    response: z.object({ status: z.literal('ok'), count }),
  },
  listEvents: {
    auth: 'session',
    role: 'viewer',
    errors: 'text',
    method: 'GET',
    path: '/api/v1/observability/events/',
    summary: 'List events without long bodies, newest first',
    query: z
      .object({
        ...paging,
        ...range,
        event_type: z.string().optional(),
        agent: z.string().optional(),
        run_id: idParam.optional(),
        search: z
          .string()
          .max(200)
          .optional()
          .meta({ description: 'substring of the event, case-insensitive' }),
      })
      .check(startBeforeEnd),
    response: growingPage(listedEvent),
  },
  getEvent: {
    auth: 'session',
    role: 'viewer',
    errors: 'text',
    method: 'GET',
    path: '/api/v1/observability/events/{event_id}/',
    summary: 'One event with its complete body',
    params: z.object({ event_id: idParam }),
    response: eventRecord,
  },
});
