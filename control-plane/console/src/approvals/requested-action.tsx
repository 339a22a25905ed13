import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Approval } from '../data/approval-sources.ts';
import { formatMoney, NONE } from '../format.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Facts } from '../parts/page.tsx';

export const costText = ({ request }: Approval): string =>
  typeof request?.estimated_cost === 'number' ? formatMoney(request.estimated_cost) : NONE;

/** The requested action in one line. */
export function actionSummary({ action_type, request }: Approval): string {
  const [call, ...more] = request?.tool_calls ?? [];
  if (!call) return action_type;
  const text = call.arguments === undefined ? call.name : `${call.name} ${asText(call.arguments)}`;
  return more.length > 0 ? t`${text} + ${more.length} more` : text;
}

const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200);

/** The action for which the agent requests approval. */
export function RequestedAction({ approval: { request, action_type } }: { approval: Approval }) {
  if (!request)
    return (
      <p className="muted">
        <Trans>The agent sent no inputs, tools or costs with this request.</Trans>
      </p>
    );
  const { tool_calls, inputs, truncated } = request;
  const sources: Source[] = [
    ...(inputs === undefined
      ? []
      : [{ title: t`Inputs`, value: inputs, role: 'user', isCut: truncated } as const]),
    ...tool_calls.map((call, at) => ({
      title:
        tool_calls.length === 1 ? t`Tool call: ${call.name}` : t`Tool call ${at + 1}: ${call.name}`,
      value: call.arguments ?? {},
      role: null,
      isCut: truncated,
    })),
  ];
  const facts = [
    [t`Tools`, request.tools],
    [t`MCP servers`, request.mcp_servers],
    [t`Models`, request.models],
  ] as const;
  const given = facts.filter(([, names]) => names.length > 0);
  return (
    <>
      {given.length > 0 && (
        <Facts facts={given.map(([name, names]) => [name, names.join(', ')] as const)} />
      )}
      {sources.length > 0 && <Recorded label={t`Request: ${action_type}`} sources={sources} />}
    </>
  );
}
