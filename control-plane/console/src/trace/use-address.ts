import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { withChanges } from '../use-filters.ts';
import { readZoom } from './time-axis.ts';
import type { Zoom } from './time-axis.ts';

type Changes = Record<string, string | readonly string[]>;

export interface TraceAddress {
  /** Key of the record whose details are open; empty: of none. */
  selected: string;
  text: string;
  kinds: string[];
  agent: string;
  errorsOnly: boolean;
  /** The graph of agents is shown instead of the tree. */
  isAgents: boolean;
  /** The part of the time that is shown; undefined: all of it. */
  zoom: Zoom | undefined;
  /** A new entry of the history, so that Back closes what was opened. */
  push: (changes: Changes) => void;
  replace: (changes: Changes) => void;
}

/** The search, the filters and the opened row are in the URL, so that they can be shared. */
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
