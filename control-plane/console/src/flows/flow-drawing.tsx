import { plural, t } from '@lingui/core/macro';
import { markInvisible } from '../mark-invisible.ts';
import type { FlowMapData, MapEdge, MapNode } from './flow-map-rules.ts';
import './flow-map.css';

const WIDTH = 250;
const HEIGHT = 44;
const GAP = 10;
const BETWEEN = 220;
const MARGIN = 16;
const MAX_NAME_LENGTH = 32;

interface FlowDrawingProps {
  map: FlowMapData;
  isAi: (host: string) => boolean;
}

/** Drawing with apps on the left and hosts on the right. Line width shows the number of flows. */
export function FlowDrawing({ map: { apps, hosts, edges }, isAi }: FlowDrawingProps) {
  const rows = Math.max(apps.length, hosts.length);
  const width = 2 * (MARGIN + WIDTH) + BETWEEN;
  const height = 2 * MARGIN + rows * (HEIGHT + GAP) - GAP;
  const most = Math.max(...edges.map(({ flows }) => flows));
  const hostX = MARGIN + WIDTH + BETWEEN;
  const placeOf = (nodes: readonly MapNode[], name: string) =>
    topOf(nodes.findIndex((node) => node.name === name)) + HEIGHT / 2;
  return (
    <div className="flow-map" role="group" aria-label={t`Map of apps and hosts`} tabIndex={0}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={t`Lines from apps to the hosts that they connect to; the table below has the same`}
      >
        {edges.map((edge) => (
          <Line
            key={edge.name}
            edge={edge}
            ai={isAi(edge.host)}
            y1={placeOf(apps, edge.app)}
            y2={placeOf(hosts, edge.host)}
            width={1 + (6 * edge.flows) / most}
          />
        ))}
        {apps.map((node, at) => (
          <Node key={node.name} node={node} x={MARGIN} y={topOf(at)} ai={false} />
        ))}
        {hosts.map((node, at) => (
          <Node key={node.name} node={node} x={hostX} y={topOf(at)} ai={isAi(node.name)} />
        ))}
      </svg>
    </div>
  );
}

const topOf = (at: number): number => MARGIN + at * (HEIGHT + GAP);

interface LineProps {
  edge: MapEdge;
  ai: boolean;
  y1: number;
  y2: number;
  width: number;
}

function Line({ edge, ai, y1, y2, width }: LineProps) {
  const [x1, x2] = [MARGIN + WIDTH, MARGIN + WIDTH + BETWEEN];
  const middle = (x1 + x2) / 2;
  return (
    <path
      className={ai ? 'flow-edge ai' : 'flow-edge'}
      d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
      strokeWidth={width}
    >
      <title>
        {markInvisible(
          plural(edge.flows, { one: `${edge.name}: # flow`, other: `${edge.name}: # flows` }),
        )}
      </title>
    </path>
  );
}

interface NodeProps {
  node: MapNode;
  x: number;
  y: number;
  ai: boolean;
}

function Node({ node: { name, flows, devices }, x, y, ai }: NodeProps) {
  return (
    <g className={ai ? 'ai' : undefined}>
      <title>{markInvisible(name)}</title>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="6" />
      <text x={x + 12} y={y + 18}>
        {shortened(markInvisible(name))}
      </text>
      <text x={x + 12} y={y + 35} className="amount">
        {plural(devices, { one: '# device', other: '# devices' })} ·{' '}
        {plural(flows, { one: '# flow', other: '# flows' })}
      </text>
    </g>
  );
}

const shortened = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
