import { z } from 'zod';
import { json, readBody, serve, type TestServer } from './serve.ts';

export interface TicketService extends TestServer {
  /** The full address of the lookup. */
  url: string;
  /** Tickets by the names of their records. */
  tickets: Map<string, Buffer>;
  /** What was asked for, in order. */
  asked: string[];
}

const lookupSchema = z.strictObject({
  records: z.array(z.strictObject({ recordName: z.string().regex(/^2\/[12]\/[0-9a-f]{40}$/) })),
});

/** What answers like CloudKit with Apple's tickets. Each name is unknown at first, so many times. */
export async function createTicketService(late = 0): Promise<TicketService> {
  const tickets = new Map<string, Buffer>();
  const asked: string[] = [];
  const server = await serve(async (request) => {
    const body = await readBody(request);
    const { data } = lookupSchema.safeParse(JSON.parse(body.toString('utf8')));
    if (!data) return json(400, { serverErrorCode: 'BAD_REQUEST', reason: 'not a lookup' });
    const records = data.records.map(({ recordName }) => {
      asked.push(recordName);
      const ticket = asked.length > late ? tickets.get(recordName) : undefined;
      return ticket ? found(recordName, ticket) : missing(recordName);
    });
    return json(200, { records });
  });
  return { ...server, url: `${server.url}/database/1/public/records/lookup`, tickets, asked };
}

function found(recordName: string, ticket: Buffer) {
  const signedTicket = { value: ticket.toString('base64'), type: 'BYTES' };
  const recordType = 'DeveloperIDTicket';
  return { recordName, recordType, fields: { signedTicket }, pluginFields: {}, deleted: false };
}

function missing(recordName: string) {
  return { recordName, reason: 'Record not found', serverErrorCode: 'NOT_FOUND' };
}
