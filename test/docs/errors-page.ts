import { statusOf } from '#contract/error-codes.ts';
import { codeOf, describeReason, errorReasons } from '#contract/error-reasons.ts';

const HEAD = `# Errors

\`npm run --silent errors > docs/errors.md\` writes this page from \`contract/error-reasons.ts\`, and a test
compares it.

Every error has a status, a message for a person and a reason for a program. Messages may be reworded in any
release; reasons keep their names and their status. The shape of the body depends on the path:

| paths                                     | body                                                                   |
| ----------------------------------------- | ---------------------------------------------------------------------- |
| \`/svc/\`, \`/api/svc/\`, \`/.well-known/est/\` | \`{"error": {"code": "…", "message": "…", "details": {"reason": "…"}}}\` |
| \`/api/v1/otel/v1/\` (OTLP)                 | \`google.rpc.Status\`: \`{"code": 8, "message": "…"}\`                     |
| all others                                | \`{"error": "…"}\`                                                       |

The last two shapes are fixed and have no room for a reason, so every error, of all three shapes, has it in the
response header \`X-Error-Reason\`:

\`\`\`
HTTP/1.1 429 Too Many Requests
Retry-After: 3600
X-Error-Reason: quota_exhausted

{"error": "max_agent_runs_per_day: 100/100"}
\`\`\`

The same holds for refused WebSockets, for requests that are not HTTP, and for pages that a browser shows. A
stream of events that fails under way, when the head is already sent, has \`error\` and \`reason\` in its last event.
What has no reason is not an error of a request: the checks of [\`/readyz/\`](health.md), a 202 that waits for
approval, spans that OTLP rejects within an accepted request, and a variant that fails within a comparison. An
error without the header was sent by something else, such as a proxy.

A reason says no more than the message: an unknown account and a wrong password have the same one, and so have
a missing resource and that of another tenant. Treat a reason that you do not know by its status: later releases
may add some. The OpenAPI document lists the reasons of each status.

The [SDKs](../sdk/README.md) have it as \`reason\` on \`PromptError\` and \`ObserveError\`, Python's on
\`MemoryStoreError\` too.`;

const rows = errorReasons
  .map((reason) => {
    const code = codeOf(reason);
    return { status: statusOf[code], code, reason, text: describeReason(reason) };
  })
  .toSorted((a, b) => a.status - b.status);

/** Returns the text of `docs/errors.md`. */
export function errorsPage(): string {
  const cells = [
    ['status', 'code', 'reason', 'what happened, what to do'],
    ...rows.map(({ status, code, reason, text }) => [
      `${status}`,
      `\`${code}\``,
      `\`${reason}\``,
      text,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `${[HEAD, '## Reasons', [lineOf(head), rule, ...body.map(lineOf)].join('\n')].join('\n\n')}\n`;
}
