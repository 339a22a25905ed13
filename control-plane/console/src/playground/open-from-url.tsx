import { useEffect, useEffectEvent } from 'react';
import { llmCallDetail } from '../data/llm-call-sources.ts';
import { promptVersion } from '../data/prompt-sources.ts';
import type { Source } from '../data/query.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import type { Opened } from './playground-state.ts';
import { openedCall } from './recorded-prompt.ts';

interface OpenFromUrlProps {
  /** Id of a prompt and its version number. */
  prompt: string;
  version: number;
  /** Id of a call, used if there is no prompt. */
  call: string;
  onOpen: (opened: Opened) => void;
}

/** Loads the prompt or call that the URL names, and opens it once. */
export const OpenFromUrl = ({ prompt, version, call, onOpen }: OpenFromUrlProps) => (
  <Opening source={prompt ? openedVersion(prompt, version) : recordedCall(call)} onOpen={onOpen} />
);

function Opening({ source, onOpen }: { source: Source<Opened>; onOpen: (opened: Opened) => void }) {
  const reading = useQuery(source);
  const { data } = reading;
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    if (data) open(data);
  }, [data]);
  return <Loaded reading={reading}>{() => null}</Loaded>;
}

function openedVersion(prompt_id: string, version: number): Source<Opened> {
  const source = promptVersion(prompt_id, version);
  return {
    ...source,
    key: `playground ${source.key}`,
    load: async (signal) => {
      const { content, config, prompt_name } = await source.load(signal);
      const origin = { kind: 'version', prompt_id, name: prompt_name, version } as const;
      return { content, config, origin, outcome: null };
    },
  };
}

function recordedCall(id: string): Source<Opened> {
  const source = llmCallDetail(id);
  return {
    ...source,
    key: `playground ${source.key}`,
    load: async (signal) => openedCall(await source.load(signal)),
  };
}
