import { describeExchange } from '../describe-exchange.ts';
import { type LlmExchange, nothingKnown } from '../exchange.ts';
import { joinExchange } from '../join-exchange.ts';

interface Streamed {
  host: string;
  path: string;
  request: object;
  type: string;
  response: string | Uint8Array;
}

export function exchanged({ host, path, request, type, response }: Streamed) {
  const joined = joinExchange({
    host,
    path,
    requestType: 'application/json',
    responseType: type,
    requestBody: new TextEncoder().encode(JSON.stringify(request)),
    responseBody: typeof response === 'string' ? new TextEncoder().encode(response) : response,
  });
  return {
    api: joined.api,
    answer: JSON.parse(joined.response!) as unknown,
    described: describeExchange({ host, path, status: 200, ...joined }),
  };
}

export const known = (facts: Partial<LlmExchange>) => ({ ...nothingKnown, ...facts });
