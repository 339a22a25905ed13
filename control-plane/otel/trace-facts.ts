import type { Attributes } from './attributes.ts';
import { textOf } from './field.ts';
import type { OtelSpan } from './span.ts';

/**
 * What the spans of a trace say about its run. `joinFacts` is commutative, associative and
 * idempotent, so the run does not depend on the order, grouping or repetition of spans.
 */
export interface TraceFacts {
  started_at: number;
  ended_at: number;
  top: Ranked<Top>;
  agent?: Ranked<string>;
  workflow?: Ranked<string>;
  session?: Ranked<string>;
  user?: Ranked<string>;
  service?: Ranked<Service>;
}

/**
 * Of two values, the one with the lower rank counts. No two spans of a trace have the same rank.
 */
export interface Ranked<T> {
  rank: string;
  value: T;
}

/** The root span so far. */
export interface Top {
  span_id: string;
  name: string;
  ended_at: number;
  error: string | null;
  /** It has no parent here: once it arrives, the run is complete. */
  is_root: boolean;
}

interface Service {
  name?: string;
  environment?: string;
  version?: string;
}

export function factsOf(span: OtelSpan): TraceFacts {
  const { attributes, resource } = span;
  const service = serviceOf(resource);
  return {
    started_at: span.started_at,
    ended_at: span.ended_at,
    top: topOf(span),
    ...ranked('agent', agentNames(span), span),
    ...ranked('workflow', [textOf(attributes, 'workflow')], span),
    ...ranked('session', [textOf(attributes, 'session'), textOf(resource, 'session')], span),
    ...ranked('user', [textOf(attributes, 'user'), textOf(resource, 'user')], span),
    ...(service && { service: { rank: rankOf(0, span), value: service } }),
  };
}

export function joinFacts(a: TraceFacts, b: TraceFacts): TraceFacts {
  const joined: TraceFacts = {
    started_at: Math.min(a.started_at, b.started_at),
    ended_at: Math.max(a.ended_at, b.ended_at),
    top: better(a.top, b.top) as Ranked<Top>,
  };
  for (const name of ['agent', 'workflow', 'session', 'user'] as const) {
    const best = better(a[name], b[name]);
    if (best) joined[name] = best;
  }
  const service = better(a.service, b.service);
  return service ? { ...joined, service } : joined;
}

const better = <T>(a: Ranked<T> | undefined, b: Ranked<T> | undefined): Ranked<T> | undefined =>
  !a || (b && b.rank < a.rank) ? b : a;

/** Of equal preference, the span that began first ranks first: it is the outermost. */
const rankOf = (preference: number, { position, span_id }: OtelSpan): string =>
  `${preference} ${String(position).padStart(17, '0')} ${span_id}`;

function topOf(span: OtelSpan): Ranked<Top> {
  const preference = span.parent_span_id === null ? 0 : span.has_remote_parent ? 1 : 2;
  const { span_id, name, ended_at, error } = span;
  return {
    rank: rankOf(preference, span),
    value: { span_id, name, ended_at, error, is_root: preference < 2 },
  };
}

/** Names for the run's agent, in order of preference. */
const agentNames = ({ attributes, resource }: OtelSpan): (string | undefined)[] => [
  textOf(attributes, 'agent'),
  textOf(attributes, 'workflow'),
  // A tool is an entity too.
  ['agent', 'workflow'].includes(attributes['traceloop.span.kind'] as string)
    ? textOf(attributes, 'entity')
    : undefined,
  textOf(attributes, 'function'),
  serviceName(resource),
];

/** The first value present; its index is the preference. */
function ranked<K extends string>(
  name: K,
  values: readonly (string | undefined)[],
  span: OtelSpan,
): Partial<Record<K, Ranked<string>>> {
  const preference = values.findIndex((value) => value !== undefined);
  if (preference < 0) return {};
  const value = values[preference] as string;
  return { [name]: { rank: rankOf(preference, span), value } } as Record<K, Ranked<string>>;
}

function serviceOf(resource: Attributes): Service | undefined {
  const name = serviceName(resource);
  const environment = textOf(resource, 'environment');
  const version = textOf(resource, 'serviceVersion');
  const service = {
    ...(name !== undefined && { name }),
    ...(environment !== undefined && { environment }),
    ...(version !== undefined && { version }),
  };
  return Object.keys(service).length > 0 ? service : undefined;
}

/** Undefined for the default of SDKs, `unknown_service:node`. */
function serviceName(resource: Attributes): string | undefined {
  const name = textOf(resource, 'service');
  return name?.startsWith('unknown_service') ? undefined : name;
}
