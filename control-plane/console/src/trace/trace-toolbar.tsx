import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatCount, formatDuration } from '../format.ts';
import { ChevronIcon } from '../icons.tsx';
import { Choice } from '../parts/choice.tsx';
import { MultiChoice } from '../parts/multi-choice.tsx';
import { markInvisible } from '../mark-invisible.ts';
import type { AgentGraph } from './agent-graph.ts';
import { kindWords, shownKinds } from './trace-kinds.tsx';
import type { ShownKind } from './trace-kinds.tsx';
import { TraceSearch } from './trace-search.tsx';
import type { TimeAxis } from './time-axis.ts';
import type { TraceEntry } from './trace-entries.ts';
import type { TraceView } from './use-trace-view.ts';

interface TraceToolbarProps {
  view: TraceView;
  entries: readonly TraceEntry[];
  graph: AgentGraph;
  axis: TimeAxis | null;
}

export function TraceToolbar({ view, entries, graph, axis }: TraceToolbarProps) {
  const { address, problems } = view;
  if (address.isAgents && graph.nodes.length > 1)
    return (
      <div className="toolbar">
        <ViewChoice view={view} />
      </div>
    );
  return (
    <div className="toolbar trace-toolbar">
      <TraceSearch view={view} />
      <KindField view={view} entries={entries} />
      <label className="trace-check">
        <input
          type="checkbox"
          checked={address.errorsOnly}
          onChange={({ target }) => address.replace({ errors: target.checked ? 'only' : '' })}
        />
        <Trans>Errors only</Trans>
      </label>
      <button
        type="button"
        className="icon-button previous-error"
        aria-label={t`Previous error`}
        title={t`Previous error (Shift+n)`}
        disabled={problems.length === 0}
        onClick={() => view.goToProblem(-1)}
      >
        <ChevronIcon />
      </button>
      <button
        type="button"
        className="button"
        title={t`Next error (n)`}
        disabled={problems.length === 0}
        onClick={() => view.goToProblem(1)}
      >
        <Trans>Next error</Trans>
        <span className="count">{formatCount(problems.length)}</span>
      </button>
      <button
        type="button"
        className="button"
        onClick={view.isCollapsed ? view.expandAll : view.collapseAll}
      >
        {view.isCollapsed ? t`Expand all` : t`Collapse all`}
      </button>
      {axis?.whole && (
        <button
          type="button"
          className="button"
          title={t`Show all of the time (0)`}
          onClick={() => address.replace({ zoom: '' })}
        >
          {rangeText(axis, axis.whole)} ×
        </button>
      )}
      {address.agent !== '' && (
        <button
          type="button"
          className="button"
          title={t`Show the records of all agents`}
          onClick={() => address.replace({ agent: '' })}
        >
          <Trans>
            Agent: <span className="clipped">{markInvisible(address.agent)}</span> ×
          </Trans>
        </button>
      )}
      {graph.nodes.length > 1 && <ViewChoice view={view} />}
    </div>
  );
}

const rangeText = ({ from, length }: TimeAxis, whole: TimeAxis): string =>
  `${formatDuration(from - whole.from)} – ${formatDuration(from - whole.from + length)}`;

const views = [
  { id: 'tree', name: t`Tree` },
  { id: 'agents', name: t`Agents` },
] as const;

const ViewChoice = ({ view: { address } }: { view: TraceView }) => (
  <Choice
    label={t`View`}
    options={views}
    value={address.isAgents ? 'agents' : 'tree'}
    onChange={(id) => address.push({ view: id === 'agents' ? id : '' })}
  />
);

function KindField({ view: { address }, entries }: Pick<TraceToolbarProps, 'view' | 'entries'>) {
  const present = new Set(entries.map(({ node }) => node.item.kind));
  const nameOf = (kind: string) => kindWords[kind as ShownKind]?.plural ?? kind;
  return (
    <MultiChoice
      label={t`Kinds`}
      all={t`All kinds`}
      many={(count) => plural(count, { one: '# kind', other: '# kinds' })}
      options={shownKinds.filter((kind) => present.has(kind)).map(nameOf)}
      chosen={address.kinds.map(nameOf)}
      onChange={(names) =>
        address.replace({ kind: shownKinds.filter((kind) => names.includes(nameOf(kind))) })
      }
    />
  );
}
