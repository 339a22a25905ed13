import { ApiError } from '#contract/errors.ts';
import type { eventRoutes } from '#contract/events.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { findEvent, listEvents } from './queries.ts';
import { fieldsOf, occurredAt } from './rules.ts';

export const eventHandlers: Handlers<typeof eventRoutes> = {
  async recordEvents(context, { caller, body }) {
    const created_at = context.now();
    const { mask } = await context.maskerOf(caller.tenantId);
    const rows = body.events.map((event) => {
      const masked = mask(event);
      return {
        tenant_id: caller.tenantId,
        ...fieldsOf(masked),
        occurred_at: occurredAt(event, created_at),
        created_at,
        body: JSON.stringify(masked),
      };
    });
    await context.recorder.addEvents(rows, body.batch_id);
    return { status: 'ok', count: rows.length };
  },

  async listEvents({ storage }, { caller, query, url }) {
    const events = await listEvents(storage.reader, caller.tenantId, query);
    return { ...pageOf(url, query, events), count_exact: events.count_exact };
  },

  async getEvent({ storage }, { caller, params }) {
    const event = await findEvent(storage.reader, caller.tenantId, params.event_id);
    if (!event) throw new ApiError('not_found', `there is no event ${params.event_id}`);
    return event;
  },
};
