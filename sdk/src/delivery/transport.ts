/** A single HTTP request. */
export interface TransportRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
  /** Whether the request should not keep the process alive, if the platform supports that. */
  background: boolean;
}

export interface TransportResponse {
  status: number;
  header: (name: string) => string | null;
  text: string;
}

/**
 * Sends a request. Resolves with any response. Does not follow redirects, which would send the key
 * to another host.
 */
export type Transport = (outgoing: TransportRequest) => Promise<TransportResponse>;
