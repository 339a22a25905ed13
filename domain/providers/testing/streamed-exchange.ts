import { describeExchange } from '../describe-exchange.ts';
import { type LlmExchange, emptyExchange } from '../exchange.ts';
import { joinExchange } from '../join-exchange.ts';

interface Streamed {
  host: string;
  path: string;
  request: object;
  type: string;
  response: string | Uint8Array;
}

export function processExchange({ host, path, request, type, response }: Streamed) {
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
    responseJson: JSON.parse(joined.response!) as unknown,
    described: describeExchange({ host, path, status: 200, ...joined }),
  };
}

export const exchangeWith = (facts: Partial<LlmExchange>) => ({ ...emptyExchange, ...facts });
