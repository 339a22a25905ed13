import type { RecordRequest } from '#agent/core/tool-checks/gateway-messages.ts';
import { gatewaySpans, otlpBody } from '#agent/core/tool-checks/gateway-spans.ts';
import { agentVersion } from '../identity/device-facts.ts';
import { type OtlpExportOptions, sizeOfTexts } from './otlp-export.ts';

/** How the calls that gateways report are sent. */
export const gatewayExport: Pick<OtlpExportOptions<RecordRequest>, 'part' | 'bodyOf' | 'sizeOf'> = {
  part: 'mcp gateway',
  bodyOf: (messages, recording) =>
    otlpBody(
      messages.flatMap((message) => gatewaySpans(message, recording)),
      agentVersion,
    ),
  sizeOf: ({ calls }) =>
    calls.reduce(
      (sum, call) => sum + sizeOfTexts([call.arguments, call.result]) + CALL_BYTES,
      CALL_BYTES,
    ),
};

/** The size of a call without its texts. */
const CALL_BYTES = 1000;
