import { z } from 'zod';
import { attributes, nanoseconds, resource, scope } from './otlp-parts.ts';

export const otlpLogRecord = z.object({
  timeUnixNano: nanoseconds,
  observedTimeUnixNano: nanoseconds,
  eventName: z.string().nullish(),
  body: z.unknown().optional(),
  attributes,
  traceId: z.string().nullish().meta({ description: '32 hexadecimal digits' }),
  spanId: z.string().nullish().meta({ description: '16 hexadecimal digits' }),
});

const requestWith = <S extends z.ZodType>(record: S) =>
  z.object({
    resourceLogs: z
      .array(
        z.object({
          resource,
          scopeLogs: z.array(z.object({ scope, logRecords: z.array(record).nullish() })).nullish(),
        }),
      )
      .nullish(),
  });

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const number = (key: string, intValue: number) => ({ key, value: { intValue } });

const example = {
  resourceLogs: [
    {
      resource: { attributes: [text('service.name', 'claude-code')] },
      scopeLogs: [
        {
          scope: { name: 'com.anthropic.claude_code.events', version: '2.1.197' },
          logRecords: [
            {
              timeUnixNano: '1772359200000000000',
              body: { stringValue: 'claude_code.api_request' },
              attributes: [
                text('event.name', 'api_request'),
                text('session.id', '5d0c2f6e-6a0e-4d43-9a0b-6f3d3a3d8f10'),
                text('prompt.id', '0c6a4b8e-9d0c-4c39-8b6e-0f4f3a2f1b7d'),
                text('model', 'claude-sonnet-4-5'),
                number('input_tokens', 60),
                number('output_tokens', 20),
                number('cache_read_tokens', 40),
                number('cache_creation_tokens', 5),
              ],
            },
          ],
        },
      ],
    },
  ],
};

/** OTLP's ExportLogsServiceRequest as JSON. Other fields are ignored. */
export const logsRequest = requestWith(otlpLogRecord).meta({ examples: [example] });

/** The request before its records are validated one by one. */
export const logsEnvelope = requestWith(z.unknown());

export const logsResponse = z.object({
  partialSuccess: z
    .object({ rejectedLogRecords: z.string(), errorMessage: z.string() })
    .optional()
    .meta({ description: 'omitted if all records were accepted' }),
});
