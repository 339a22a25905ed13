import { plural, t } from '@lingui/core/macro';
import { formatCount, formatDuration, formatMoney } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { markInvisible } from '../mark-invisible.ts';
import type { AgentEdge, AgentGraph, AgentNode } from './agent-graph.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import './agent-graph-view.css';

const WIDTH = 200;
const HEIGHT = 76;
const GAP_X = 90;
const GAP_Y = 24;
const MARGIN = 20;

const leftOf = ({ layer }: AgentNode): number => MARGIN + layer * (WIDTH + GAP_X);
const topOf = ({ place }: AgentNode): number => MARGIN + place * (HEIGHT + GAP_Y);

interface AgentGraphViewProps {
  graph: AgentGraph;
  /** Shows the records of an agent in the tree. */
  onChoose: (agent: string) => void;
}

/** Shows which agents called which, as a graph and as a table. */
export function AgentGraphView({ graph, onChoose }: AgentGraphViewProps) {
  const { nodes, edges } = graph;
  const width = Math.max(...nodes.map(leftOf)) + WIDTH + MARGIN;
  // Calls to earlier agents are drawn below all agents.
  const byName = new Map(nodes.map((node) => [node.agent, node]));
  const isBackward = ({ from, to }: AgentEdge) =>
    (byName.get(to)?.layer ?? 0) <= (byName.get(from)?.layer ?? 0);
  const room = edges.some(isBackward) ? GAP_Y : 0;
  const height = Math.max(...nodes.map(topOf)) + HEIGHT + MARGIN + room;
  return (
    <>
      <div className="agent-graph" role="group" aria-label={t`Graph of agents`} tabIndex={0}>
        <div className="agent-canvas" style={{ width, height }}>
          <svg width={width} height={height} aria-hidden="true" focusable="false">
            <defs>
              <marker
                id="arrow"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="8"
                markerHeight="8"
                orient="auto"
              >
                <path d="M1 1l6 3-6 3" />
              </marker>
            </defs>
            {edges.map((edge) => (
              <Edge key={`${edge.from} ${edge.to}`} edge={edge} byName={byName} />
            ))}
          </svg>
          {nodes.map((node) => (
            <button
              key={node.agent}
              type="button"
              className={node.failed > 0 ? 'agent-node failed' : 'agent-node'}
              style={{ left: leftOf(node), top: topOf(node), width: WIDTH, height: HEIGHT }}
              title={t`Show the records of ${markInvisible(node.agent)}`}
              onClick={() => onChoose(node.agent)}
            >
              <strong>
                <Clipped text={node.agent} />
              </strong>
              <span>{runsOf(node)}</span>
              <span>
                {formatDuration(node.duration_ms)} · {formatMoney(node.cost)}
              </span>
            </button>
          ))}
        </div>
      </div>
      <AgentTable graph={graph} />
    </>
  );
}

const runsOf = ({ runs, failed, running }: AgentNode): string =>
  [
    plural(runs, { one: '# run', other: '# runs' }),
    ...(failed > 0 ? [plural(failed, { one: '# error', other: '# errors' })] : []),
    ...(running > 0 ? [t`${formatCount(running)} running`] : []),
  ].join(' · ');

interface EdgeProps {
  edge: AgentEdge;
  byName: ReadonlyMap<string, AgentNode>;
}

function Edge({ edge, byName }: EdgeProps) {
  const [from, to] = [byName.get(edge.from), byName.get(edge.to)];
  if (!from || !to) return null;
  const { path, x, y } = to.layer > from.layer ? forward(from, to) : backward(from, to);
  return (
    <>
      <path className="agent-edge" d={path} markerEnd="url(#arrow)" />
      <text x={x} y={y} textAnchor="middle">
        {formatCount(edge.calls)}×
      </text>
    </>
  );
}

function forward(from: AgentNode, to: AgentNode) {
  const [x1, y1] = [leftOf(from) + WIDTH, topOf(from) + HEIGHT / 2];
  const [x2, y2] = [leftOf(to), topOf(to) + HEIGHT / 2];
  const bend = GAP_X / 2;
  return {
    path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
    x: x2 - GAP_X / 2,
    y: (y1 + y2) / 2 - 6,
  };
}

/** The path of a call to the same or an earlier layer, which runs below both agents. */
function backward(from: AgentNode, to: AgentNode) {
  const isSelf = from === to;
  const [x1, y1] = [leftOf(from) + WIDTH / 2 + (isSelf ? 24 : 0), topOf(from) + HEIGHT];
  const [x2, y2] = [leftOf(to) + WIDTH / 2 - (isSelf ? 24 : 0), topOf(to) + HEIGHT];
  const low = Math.max(y1, y2) + GAP_Y;
  return {
    path: `M${x1} ${y1}C${x1} ${low} ${x2} ${low} ${x2} ${y2}`,
    x: (x1 + x2) / 2,
    y: low + 4,
  };
}

const number = { width: 110, align: 'end' } as const;

const columnsFor = (edges: readonly AgentEdge[]): Column<AgentNode>[] => [
  { name: t`Agent`, width: '30%', cell: ({ agent }) => <Clipped text={agent} /> },
  { name: t`Runs`, ...number, cell: ({ runs }) => formatCount(runs) },
  { name: t`Errors`, ...number, cell: ({ failed }) => formatCount(failed) },
  { name: t`Duration`, ...number, cell: ({ duration_ms }) => formatDuration(duration_ms) },
  { name: t`Cost`, ...number, cell: ({ cost }) => formatMoney(cost) },
  { name: t`Calls`, cell: ({ agent }) => <Clipped text={callsOf(agent, edges)} /> },
];

const callsOf = (agent: string, edges: readonly AgentEdge[]): string =>
  edges
    .filter(({ from }) => from === agent)
    .map(({ to, calls }) => `${to} ${formatCount(calls)}×`)
    .join(', ') || 'none';

/** The graph of agents as a table. */
const AgentTable = ({ graph: { nodes, edges } }: { graph: AgentGraph }) => (
  <DataTable
    label={t`Agents of this trace`}
    columns={columnsFor(edges)}
    rows={nodes}
    rowKey={({ agent }) => agent}
  />
);
