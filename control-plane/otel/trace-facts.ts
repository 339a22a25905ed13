import { memoize } from '../lib/memoize.ts';
import type { Attributes, Json } from './attributes.ts';
import { textOf } from './field.ts';
import { metadataOf } from './metadata-attribute.ts';
import type { OtelSpan } from './span.ts';
import { joinTags, tagsOf } from './tags.ts';

/**
 * The facts about a run that the spans of its trace contain. `joinFacts` is commutative,
 * associative and idempotent, so the run does not depend on the order, grouping or repetition of
 * spans.
 */
export interface TraceFacts {
  started_at: number;
  ended_at: number;
  top: Ranked<RootSpan>;
  agent?: Ranked<string>;
  workflow?: Ranked<string>;
  session?: Ranked<string>;
  user?: Ranked<string>;
  /** The tags of all spans, sorted. */
  tags?: string[];
  service?: Ranked<Service>;
  /** The span that contains the input of the run. */
  prompt?: Ranked<string>;
  /** The last span that contains the result of the run. */
  answer?: Ranked<string>;
  /** The error of the last call that decides whether the run failed. */
  outcome?: Ranked<{ error: string | null }>;
}

/**
 * A value with a rank. Of two values, the one with the lower rank is kept. No two spans of a trace
 * have the same rank.
 */
export interface Ranked<T> {
  rank: string;
  value: T;
}

/** The best candidate for the root span so far. */
export interface RootSpan {
  span_id: string;
  name: string;
  ended_at: number;
  error: string | null;
  /** True if the span has no parent here. Once such a span arrives, the run is complete. */
  is_root: boolean;
}

interface Service {
  name?: string;
  environment?: string;
  version?: string;
}

export function factsOf(span: OtelSpan): TraceFacts {
  const { attributes } = span;
  const { service } = ofResource(span.resource);
  const tags = tagsOf(attributes);
  const place = placeOf(span);
  const facts: TraceFacts = {
    started_at: span.started_at,
    ended_at: span.ended_at,
    top: topOf(span, place),
  };
  addFirst(facts, 'agent', span, place);
  addFirst(facts, 'workflow', span, place);
  addFirst(facts, 'session', span, place);
  addFirst(facts, 'user', span, place);
  if (tags) facts.tags = tags;
  if (service) facts.service = { rank: rankOf(0, place), value: service };
  if (span.client) addClientFacts(facts, span, place);
  return facts;
}

/** Returns the facts of a resource, which is one object for all spans of a process in a request. */
const ofResource = memoize((resource: Attributes) => ({
  session: textOf(resource, 'session'),
  user: textOf(resource, 'user'),
  serviceName: serviceName(resource),
  service: serviceOf(resource),
}));

function addClientFacts(facts: TraceFacts, span: OtelSpan, place: string): void {
  const { client, span_id, error } = span;
  if (client?.role === 'prompt') facts.prompt = { rank: rankOf(0, place), value: span_id };
  if (client?.role === 'answer') facts.answer = { rank: lastFirst(span), value: span_id };
  if (client?.decides) facts.outcome = { rank: lastFirst(span), value: { error } };
}

export const joinFacts = (a: TraceFacts, b: TraceFacts): TraceFacts => addFacts({ ...a }, b);

/** Joins the facts of at least one span. */
export function joinAllFacts(all: readonly TraceFacts[]): TraceFacts {
  const joined = { ...(all[0] as TraceFacts) };
  for (let i = 1; i < all.length; i += 1) addFacts(joined, all[i] as TraceFacts);
  return joined;
}

function addFacts(joined: TraceFacts, facts: TraceFacts): TraceFacts {
  joined.started_at = Math.min(joined.started_at, facts.started_at);
  joined.ended_at = Math.max(joined.ended_at, facts.ended_at);
  joined.top = better(joined.top, facts.top) as Ranked<RootSpan>;
  for (const name of rankedTexts) {
    const best = better(joined[name], facts[name]);
    if (best) joined[name] = best;
  }
  if (facts.tags) joined.tags = joinTags(joined.tags ?? [], facts.tags);
  const service = better(joined.service, facts.service);
  if (service) joined.service = service;
  const outcome = better(joined.outcome, facts.outcome);
  if (outcome) joined.outcome = outcome;
  return joined;
}

const rankedTexts = ['agent', 'workflow', 'session', 'user', 'prompt', 'answer'] as const;

const better = <T>(a: Ranked<T> | undefined, b: Ranked<T> | undefined): Ranked<T> | undefined =>
  !a || (b && b.rank < a.rank) ? b : a;

/**
 * Returns a rank. Among values of the same preference, the span that began first wins, because it
 * is the outermost.
 */
const rankOf = (preference: number, place: string): string => `${preference} ${place}`;

const placeOf = ({ position, span_id }: OtelSpan): string =>
  `${String(position).padStart(17, '0')} ${span_id}`;

/** Returns a rank with which the last value wins. */
const lastFirst = ({ ended_at, span_id }: OtelSpan): string =>
  `${String(LATEST - ended_at).padStart(16, '0')} ${span_id}`;

const LATEST = 10 ** 15;

function topOf(span: OtelSpan, place: string): Ranked<RootSpan> {
  const isRoot = span.parent_span_id === null || span.has_remote_parent;
  const preference = span.parent_span_id === null ? 0 : span.has_remote_parent ? 1 : 2;
  const { span_id, name, ended_at, error, client } = span;
  return {
    rank: rankOf(client?.role === 'prompt' ? Math.min(preference, 1) : preference, place),
    value: { span_id, name, ended_at, error, is_root: isRoot },
  };
}

const agentKinds = ['openinference.span.kind', 'langfuse.observation.type'] as const;

const isAgent = (kind: Json | undefined): boolean =>
  typeof kind === 'string' && kind.toLowerCase() === 'agent';

type Source = (span: OtelSpan) => string | undefined;

/** The sources of texts that several attributes may contain, by preference. */
const sources = {
  agent: [
    ({ attributes, name }) =>
      textOf(attributes, 'agent') ??
      metadataOf(attributes).agent ??
      // OpenInference and Langfuse name the span of an agent after the agent.
      (agentKinds.some((kind) => isAgent(attributes[kind])) ? name : undefined),
    ({ attributes }) => textOf(attributes, 'workflow'),
    // The entity may also be a tool.
    ({ attributes }) =>
      ['agent', 'workflow'].includes(attributes['traceloop.span.kind'] as string)
        ? textOf(attributes, 'entity')
        : undefined,
    ({ attributes }) => textOf(attributes, 'function'),
    ({ resource }) => ofResource(resource).serviceName,
  ],
  workflow: [({ attributes }) => textOf(attributes, 'workflow')],
  session: [
    ({ attributes }) => textOf(attributes, 'session'),
    ({ resource }) => ofResource(resource).session,
    ({ attributes }) => metadataOf(attributes).session,
  ],
  user: [
    ({ attributes }) => textOf(attributes, 'user'),
    ({ resource }) => ofResource(resource).user,
    ({ attributes }) => metadataOf(attributes).user,
  ],
} as const satisfies Record<string, readonly Source[]>;

/** Adds the first text that is present. The index of its source is the preference. */
function addFirst(
  facts: TraceFacts,
  name: keyof typeof sources,
  span: OtelSpan,
  place: string,
): void {
  let preference = 0;
  for (const read of sources[name] as readonly Source[]) {
    const value = read(span);
    if (value !== undefined) return void (facts[name] = { rank: rankOf(preference, place), value });
    preference += 1;
  }
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

/**
 * Returns the name of the service; undefined for the default of SDKs, such as
 * `unknown_service:node`.
 */
function serviceName(resource: Attributes): string | undefined {
  const name = textOf(resource, 'service');
  return name?.startsWith('unknown_service') ? undefined : name;
}
