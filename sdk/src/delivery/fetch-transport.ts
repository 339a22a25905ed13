import type { Transport } from './transport.ts';

export const fetchTransport: Transport = async ({ url, method, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal,
  });
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    text: await response.text(),
  };
};
