import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { withChanges } from '../use-filters.ts';
import { readZoom } from './time-axis.ts';
import type { Zoom } from './time-axis.ts';

type Changes = Record<string, string | readonly string[]>;

export interface TraceAddress {
  /** Key of the record whose details are shown; empty if there is none. */
  selected: string;
  text: string;
  kinds: string[];
  agent: string;
  errorsOnly: boolean;
  /** Whether the graph of agents is shown instead of the tree. */
  isAgents: boolean;
  /** The visible part of the time; undefined for all of it. */
  zoom: Zoom | undefined;
  /** Adds a history entry, so that Back closes what was opened. */
  push: (changes: Changes) => void;
  replace: (changes: Changes) => void;
}

/**
 * The search, filters and opened record of a trace. They are in the URL, so that links can be
 * shared.
 */
export function useTraceAddress(): TraceAddress {
  const params = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const go = (changes: Changes, replace: boolean) => {
    const next = withChanges(new URLSearchParams(location.search), changes).toString();
    navigate(location.pathname + (next && `?${next}`), { replace });
  };
  return {
    selected: params.get('span') ?? '',
    text: params.get('q') ?? '',
    kinds: params.getAll('kind'),
    agent: params.get('agent') ?? '',
    errorsOnly: params.get('errors') === 'only',
    isAgents: params.get('view') === 'agents',
    zoom: readZoom(params.get('zoom') ?? ''),
    push: (changes) => go(changes, false),
    replace: (changes) => go(changes, true),
  };
}
