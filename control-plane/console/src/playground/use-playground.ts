import { useEffect, useRef, useState } from 'react';
import { configOf } from '../prompts/config-draft.ts';
import type { ConfigErrors } from '../prompts/config-draft.ts';
import { contentOf } from '../prompts/draft.ts';
import {
  updateVariant,
  emptyState,
  openedState,
  variableNames,
  variableValues,
  copyVariant,
  removeVariant,
} from './playground-state.ts';
import type { Opened, PlaygroundState, Variant } from './playground-state.ts';
import { runVariant } from './run-variant.ts';
import { readPrevious, readState, storePrevious, storeState } from './stored-state.ts';

export interface Playground {
  state: PlaygroundState;
  /** Names of all variables in use. */
  names: string[];
  /** Invalid settings of the variants to run, by key. */
  errors: Record<number, ConfigErrors>;
  hasPrevious: boolean;
  change: (key: number, change: Partial<Variant>) => void;
  setVariable: (name: string, value: string) => void;
  copy: (key: number) => void;
  remove: (key: number) => void;
  /** Replaces all variants; `restore` reverts this. */
  open: (opened: Opened) => void;
  restore: () => void;
  clear: () => void;
  run: (keys: readonly number[]) => void;
  stop: (keys: readonly number[]) => void;
}

/** The variants of this browser tab and their requests. */
export function usePlayground(): Playground {
  const [state, setState] = useState(() => readState() ?? emptyState());
  const [errors, setErrors] = useState<Record<number, ConfigErrors>>({});
  const [hasPrevious, setHasPrevious] = useState(() => readPrevious() !== undefined);
  const requests = useRef(new Map<number, AbortController>());
  useStored(state);
  useEffect(() => {
    const running = requests.current;
    return () => running.forEach((request) => request.abort());
  }, []);
  const names = variableNames(state);

  const stop = (keys: readonly number[]) =>
    keys.forEach((key) => requests.current.get(key)?.abort());

  const start = (variant: Variant) => {
    const { key } = variant;
    const read = configOf(variant.config);
    setErrors((all) => ({ ...all, [key]: read.errors ?? {} }));
    if (read.errors) return;
    stop([key]);
    const request = new AbortController();
    requests.current.set(key, request);
    const body = {
      content: contentOf(variant.content),
      config: read.config,
      variables: variableValues(names, state),
    };
    void runVariant(body, request.signal, (outcome) => {
      // Ignores the outcome of an earlier request if the variant was run again or replaced.
      if (requests.current.get(key) === request)
        setState((current) => updateVariant(current, key, { outcome }));
    });
  };

  const replace = (next: PlaygroundState) => {
    stop(state.variants.map(({ key }) => key));
    requests.current.clear();
    setErrors({});
    // New keys, so that no state of the previous editors remains.
    const first = Math.max(...state.variants.map(({ key }) => key)) + 1;
    setState({ ...next, variants: next.variants.map((one, at) => ({ ...one, key: first + at })) });
  };

  return {
    state,
    names,
    errors,
    hasPrevious,
    change: (key, change) => setState((current) => updateVariant(current, key, change)),
    setVariable: (name, value) =>
      setState((current) => ({
        ...current,
        variables: { ...current.variables, [name]: value },
      })),
    copy: (key) => setState((current) => copyVariant(current, key)),
    remove: (key) => {
      stop([key]);
      requests.current.delete(key);
      setState((current) => removeVariant(current, key));
    },
    open: (opened) => {
      storePrevious(state);
      setHasPrevious(readPrevious() !== undefined);
      replace(openedState(opened, state));
    },
    restore: () => {
      const previous = readPrevious();
      storePrevious(undefined);
      setHasPrevious(false);
      if (previous) replace(previous);
    },
    clear: () => {
      storePrevious(state);
      setHasPrevious(readPrevious() !== undefined);
      replace(emptyState());
    },
    run: (keys) => state.variants.filter(({ key }) => keys.includes(key)).forEach(start),
    stop,
  };
}

/** Stores the state when no variant is running, and when the page is left. */
function useStored(state: PlaygroundState): void {
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
    // Not stored for each piece of an output.
    if (state.variants.every(({ outcome }) => outcome?.status !== 'running')) storeState(state);
  }, [state]);
  useEffect(() => {
    const store = () => storeState(latest.current);
    addEventListener('pagehide', store);
    return () => {
      removeEventListener('pagehide', store);
      store();
    };
  }, []);
}
