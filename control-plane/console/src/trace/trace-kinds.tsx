import {
  CallsIcon,
  IncidentsIcon,
  PoliciesIcon,
  RunsIcon,
  SpanIcon,
  StepIcon,
  ToolIcon,
} from '../icons.tsx';
import type { TraceItem } from '../runs/trace-tree.ts';

/** Links are passed through by the tree and never shown. */
export type ShownKind = Exclude<TraceItem['kind'], 'link'>;

interface KindWords {
  name: string;
  plural: string;
  Icon: () => React.JSX.Element;
}

export const kindWords: Record<ShownKind, KindWords> = {
  run: { name: 'Run', plural: 'Runs', Icon: RunsIcon },
  llm_call: { name: 'LLM call', plural: 'LLM calls', Icon: CallsIcon },
  tool: { name: 'Tool', plural: 'Tools', Icon: ToolIcon },
  span: { name: 'Span', plural: 'Spans', Icon: SpanIcon },
  step: { name: 'Step', plural: 'Steps', Icon: StepIcon },
  verdict: { name: 'Policy verdict', plural: 'Policy verdicts', Icon: PoliciesIcon },
  incident: { name: 'Incident', plural: 'Incidents', Icon: IncidentsIcon },
};

export const shownKinds = Object.keys(kindWords) as ShownKind[];

export const wordsOf = ({ kind }: Pick<TraceItem, 'kind'>): KindWords =>
  kindWords[kind === 'link' ? 'span' : kind];
