import { readAttributes, type WireAttribute } from '#control-plane/otel/attributes.ts';
import { interpret, isCall } from '#control-plane/otel/span-meaning.ts';
import type { ExportedRequest } from './recording.ts';

/** A span that a client exported, with the parts that are compared. */
export interface ExportedSpan {
  traceId: string;
  spanId: string;
  parent: string | undefined;
  /** The span with its resource as text. */
  text: string;
  failed: boolean;
  isCall: boolean;
  /** Whether its attributes state its kind. */
  hasMeaning: boolean;
}

interface Wire {
  [key: string]: unknown;
}

const listOf = (value: unknown, name: string): Wire[] => {
  const list = (value as Wire)[name];
  return Array.isArray(list) ? (list as Wire[]) : [];
};

/** All spans of an export. */
export const exportedSpans = (requests: readonly ExportedRequest[]): ExportedSpan[] =>
  requests.flatMap(({ body }) =>
    listOf(body, 'resourceSpans').flatMap(({ resource, scopeSpans }) =>
      listOf({ scopeSpans }, 'scopeSpans').flatMap((scope) =>
        listOf(scope, 'spans').map((span) => readSpan(span, JSON.stringify(resource ?? {}))),
      ),
    ),
  );

function readSpan(span: Wire, resource: string): ExportedSpan {
  const { traceId, spanId, parentSpanId, status, events } = span;
  const code = (status as Wire | undefined)?.code;
  const text = JSON.stringify(span) + resource;
  const meaning = interpret(readAttributes(span.attributes as WireAttribute[] | undefined));
  return {
    traceId: String(traceId),
    spanId: String(spanId),
    parent: typeof parentSpanId === 'string' && parentSpanId !== '' ? parentSpanId : undefined,
    text,
    failed:
      code === 2 ||
      code === 'STATUS_CODE_ERROR' ||
      text.includes('"error.type"') ||
      listOf({ events }, 'events').some(({ name }) => String(name).includes('exception')),
    isCall: isCall(meaning),
    hasMeaning: meaning !== undefined,
  };
}

/** The text of an export, to check whether the client has sent a value. */
export const textOfExport = (requests: readonly ExportedRequest[]): string =>
  unescaped(JSON.stringify(requests));

/** Removes backslashes: JSON inside JSON escapes quotes once more at each level. */
export const unescaped = (text: string): string => text.replaceAll('\\', '');
