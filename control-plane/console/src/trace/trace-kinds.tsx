import { t } from '@lingui/core/macro';
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

/** The kinds of records that the tree shows. Links are never shown. */
export type ShownKind = Exclude<TraceItem['kind'], 'link'>;

interface KindWords {
  name: string;
  plural: string;
  Icon: () => React.JSX.Element;
}

export const kindWords: Record<ShownKind, KindWords> = {
  run: { name: t`Run`, plural: t`Runs`, Icon: RunsIcon },
  llm_call: { name: t`LLM call`, plural: t`LLM calls`, Icon: CallsIcon },
  tool: { name: t`Tool`, plural: t`Tools`, Icon: ToolIcon },
  span: { name: t`Span`, plural: t`Spans`, Icon: SpanIcon },
  step: { name: t`Step`, plural: t`Steps`, Icon: StepIcon },
  verdict: { name: t`Policy verdict`, plural: t`Policy verdicts`, Icon: PoliciesIcon },
  incident: { name: t`Incident`, plural: t`Incidents`, Icon: IncidentsIcon },
};

export const shownKinds = Object.keys(kindWords) as ShownKind[];

export const wordsOf = ({ kind }: Pick<TraceItem, 'kind'>): KindWords =>
  kindWords[kind === 'link' ? 'span' : kind];
