import { t } from '@lingui/core/macro';
import { packageNames } from '#control-plane/sdk-packages/names.ts';

/** A complete program that sends a first run to this installation. */

export interface SnippetStep {
  title: string;
  text: string;
}

export interface Snippet {
  id: string;
  name: string;
  steps: readonly SnippetStep[];
}

interface Target {
  /** Origin of the installation. */
  url: string;
  key: string;
}

export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

export const snippetsFor = (target: Target): readonly Snippet[] => [
  { id: 'curl', name: 'curl', steps: [{ title: t`Run in a shell`, text: curl(target) }] },
  {
    id: 'typescript',
    name: 'TypeScript',
    steps: [
      { title: t`Install the SDK`, text: `npm install ${target.url}/sdk/${packageNames.npm}` },
      { title: t`Save as first-run.mjs and run: node first-run.mjs`, text: typescript(target) },
    ],
  },
  {
    id: 'python',
    name: 'Python',
    steps: [
      { title: t`Install the SDK`, text: `pip install ${target.url}/sdk/${packageNames.wheel}` },
      { title: t`Save as first_run.py and run: python3 first_run.py`, text: python(target) },
    ],
  },
  {
    id: 'otel',
    name: 'OpenTelemetry',
    steps: [
      { title: t`Send one span from a shell`, text: otlp(target) },
      { title: t`Or point an instrumented program here`, text: otelVariables(target) },
    ],
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    steps: [{ title: t`Set in the shell that starts claude`, text: claudeCode(target) }],
  },
  {
    id: 'codex',
    name: 'Codex',
    steps: [{ title: t`Add to ~/.codex/config.toml`, text: codex(target) }],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    steps: [
      { title: t`Add to ~/.gemini/settings.json`, text: gemini(target) },
      {
        title: t`Set in the shell that starts gemini`,
        text: `export OTEL_EXPORTER_OTLP_HEADERS="x-svc-key=${target.key}"`,
      },
    ],
  },
];

const curl = ({ url, key }: Target): string => `URL='${url}'
KEY='${key}'

post() {
  curl -fsS -X POST "$URL$1" -H "X-Svc-Key: $KEY" -H 'Content-Type: application/json' -d "$2"
}

RUN=$(post /api/v1/observe/runs/start/ '{
  "agent_name": "first-agent",
  "inputs": { "question": "What is the capital of France?" }
}' | sed -E 's/.*"run_id": *"?([0-9]+).*/\\1/')

post "/api/v1/observe/runs/$RUN/llm-calls/" '{ "calls": [{
  "model": "gpt-4o", "tokens_in": 14, "tokens_out": 7, "duration_ms": 640,
  "prompt_preview": "What is the capital of France?",
  "response_preview": "The capital of France is Paris."
}] }'
post "/api/v1/observe/runs/$RUN/complete/" '{ "result": { "answer": "Paris" } }'`;

const typescript = ({
  url,
  key,
}: Target): string => `import { init, observe, recordCall } from 'svc-observe';

init({ baseUrl: '${url}', apiKey: '${key}' });

const answer = observe(
  async (question) => {
    // Call your model here.
    recordCall({
      model: 'gpt-4o',
      tokensIn: 14,
      tokensOut: 7,
      promptPreview: question,
      responsePreview: 'The capital of France is Paris.',
    });
    return 'Paris';
  },
  { agentName: 'first-agent' },
);

console.log(await answer('What is the capital of France?'));`;

const python = ({ url, key }: Target): string => `import svc_observe
from svc_observe import observe, record_call

svc_observe.init(base_url="${url}", api_key="${key}")


@observe(agent_name="first-agent")
def answer(question):
    # Call your model here.
    record_call(
        model="gpt-4o",
        tokens_in=14,
        tokens_out=7,
        prompt_preview=question,
        response_preview="The capital of France is Paris.",
    )
    return "Paris"


print(answer("What is the capital of France?"))`;

const otlp = ({ url, key }: Target): string => `URL='${url}'
KEY='${key}'
NOW=$(date +%s)
TRACE=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')

curl -fsS -X POST "$URL/api/v1/otel/v1/traces" \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{ "resourceSpans": [{
  "resource": { "attributes": [
    { "key": "service.name", "value": { "stringValue": "first-agent" } }
  ] },
  "scopeSpans": [{ "spans": [{
    "traceId": "'"$TRACE"'",
    "spanId": "00f067aa0ba902b7",
    "name": "chat gpt-4o",
    "startTimeUnixNano": "'"$((NOW - 1))"'000000000",
    "endTimeUnixNano": "'"$NOW"'000000000",
    "attributes": [
      { "key": "gen_ai.operation.name", "value": { "stringValue": "chat" } },
      { "key": "gen_ai.provider.name", "value": { "stringValue": "openai" } },
      { "key": "gen_ai.request.model", "value": { "stringValue": "gpt-4o" } },
      { "key": "gen_ai.usage.input_tokens", "value": { "intValue": "14" } },
      { "key": "gen_ai.usage.output_tokens", "value": { "intValue": "7" } }
    ]
  }] }]
}] }'`;

const otelVariables = ({
  url,
  key,
}: Target): string => `export OTEL_EXPORTER_OTLP_ENDPOINT='${url}/api/v1/otel'
export OTEL_EXPORTER_OTLP_HEADERS='Authorization=Bearer%20${key}'
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`;

const claudeCode = ({ url, key }: Target): string => `export CLAUDE_CODE_ENABLE_TELEMETRY=1
export OTEL_LOGS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_ENDPOINT='${url}/api/v1/otel'
export OTEL_EXPORTER_OTLP_HEADERS='Authorization=Bearer ${key}'
# Prompts, answers and tool inputs are sent only with these:
export OTEL_LOG_USER_PROMPTS=1
export OTEL_LOG_TOOL_DETAILS=1`;

const codex = ({ url, key }: Target): string => `[otel]
log_user_prompt = true
exporter = { otlp-http = { endpoint = "${url}/api/v1/otel/v1/logs", protocol = "binary", headers = { "x-svc-key" = "${key}" } } }`;

const gemini = ({ url }: Target): string => `{
  "telemetry": {
    "enabled": true,
    "target": "local",
    "otlpEndpoint": "${url}/api/v1/otel",
    "otlpProtocol": "http",
    "logPrompts": true
  }
}`;
