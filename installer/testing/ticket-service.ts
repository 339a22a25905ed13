import { z } from 'zod';
import { json, readBody, serve, type TestServer } from './serve.ts';

export interface TicketService extends TestServer {
  /** The full address of the lookup. */
  url: string;
  /** The tickets by record name. */
  tickets: Map<string, Buffer>;
  /** Requested names, in order. */
  requests: string[];
}

const lookupSchema = z.strictObject({
  records: z.array(z.strictObject({ recordName: z.string().regex(/^2\/[12]\/[0-9a-f]{40}$/) })),
});

/**
 * Responds with tickets like Apple's CloudKit. Each name is unknown for the first `late` requests.
 */
export async function createTicketService(late = 0): Promise<TicketService> {
  const tickets = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = await serve(async (request) => {
    const body = await readBody(request);
    const { data } = lookupSchema.safeParse(JSON.parse(body.toString('utf8')));
    if (!data) return json(400, { serverErrorCode: 'BAD_REQUEST', reason: 'not a lookup' });
    const records = data.records.map(({ recordName }) => {
      requests.push(recordName);
      const ticket = requests.length > late ? tickets.get(recordName) : undefined;
      return ticket ? recordOf(recordName, ticket) : missing(recordName);
    });
    return json(200, { records });
  });
  return {
    ...server,
    url: `${server.url}/database/1/public/records/lookup`,
    tickets,
    requests,
  };
}

function recordOf(recordName: string, ticket: Buffer) {
  const signedTicket = { value: ticket.toString('base64'), type: 'BYTES' };
  const recordType = 'DeveloperIDTicket';
  return { recordName, recordType, fields: { signedTicket }, pluginFields: {}, deleted: false };
}

function missing(recordName: string) {
  return { recordName, reason: 'Record not found', serverErrorCode: 'NOT_FOUND' };
}
