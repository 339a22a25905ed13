/**
 * A trace request, as decoded from both encodings. In protobuf, ids are bytes and 64-bit numbers
 * are objects that convert to text; in JSON, ids are hexadecimal and such numbers are text.
 */
export interface WireRequest {
  resourceSpans?: WireResourceSpans[] | null | undefined;
}

interface WireResourceSpans {
  resource?: { attributes?: WireAttribute[] | null | undefined } | null | undefined;
  scopeSpans?: WireScopeSpans[] | null | undefined;
}

interface WireScopeSpans {
  scope?: WireScope | null | undefined;
  spans?: (WireSpan | MalformedSpan)[] | null | undefined;
}

/** Replaces a malformed span, with the reason. */
export interface MalformedSpan {
  malformed: string;
}

export interface WireScope {
  name?: string | null | undefined;
  version?: string | null | undefined;
}

export interface WireAttribute {
  key: string;
  value?: unknown;
}

export type WireId = string | Uint8Array;

/** Nanoseconds since 1970. */
export type WireTime = string | number | { toString(): string } | null | undefined;

export interface WireSpan {
  traceId: WireId;
  spanId: WireId;
  parentSpanId?: WireId | null | undefined;
  flags?: number | null | undefined;
  name?: string | null | undefined;
  startTimeUnixNano?: WireTime;
  endTimeUnixNano?: WireTime;
  attributes?: WireAttribute[] | null | undefined;
  events?: WireEvent[] | null | undefined;
  status?:
    | { code?: number | string | null | undefined; message?: string | null | undefined }
    | null
    | undefined;
}

export interface WireEvent {
  name?: string | null | undefined;
  timeUnixNano?: WireTime;
  attributes?: WireAttribute[] | null | undefined;
}
