type Schema = Readonly<Record<string, unknown>>;

/** Typical values by field name. */
const typical: Readonly<Record<string, unknown>> = {
  agent_name: 'support',
  agent: 'support',
  workflow_name: 'triage',
  workflow_id: 'wf_7',
  run_id: '1042',
  parent_run_id: '1041',
  span_id: '88',
  call_id: '5117',
  session_id: 'session-42',
  user_id: 'ada',
  user_group: 'finance',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  tags: ['production'],
  model: 'gpt-4o',
  model_id: 'gpt-4o',
  provider: 'openai',
  task: 'classify',
  tokens_in: 1000,
  tokens_out: 500,
  total_tokens: 1500,
  tokens: 1500,
  cost: 0.0075,
  total_cost: 0.0075,
  prompt_preview: 'Which team should handle this ticket?',
  response_preview: 'Billing',
  prompt_hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  content_hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  step_name: 'look up customer',
  comment: 'Right team, polite answer',
  numeric_value: 0.9,
  inputs: { ticket: 7 },
  result: { team: 'billing' },
  metadata: { plan: 'pro' },
  attributes: { tool_type: 'api' },
  input_data: { customer: 7 },
  output_data: { found: true },
  output: { found: true },
  truncated: false,
  duration_ms: 840,
  limit: 25,
  offset: 0,
  count: 1,
  next: null,
  previous: null,
  email: 'owner@example.com',
  password: 'correct horse battery',
  hosts: 'api.openai.com',
  error: null,
  version: 3,
  label: 'production',
  variables: { name: 'Ada' },
};

/** The maximum length of arrays, to which longer ones are shortened. */
const MAX_ITEMS = 3;

/** Creates a readable example for a JSON Schema, with the typical value of its field. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const { examples, default: usual } = schema;
  if (Array.isArray(examples)) return examples[0] as unknown;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
  const typicalValue = typical[name];
  if (typicalValue !== undefined && admits(schema, typicalValue)) return typicalValue;
  if (usual !== undefined) return usual;
  const choices = alternatives(schema);
  if (choices) return exampleOf(choices.find(({ type }) => type !== 'null') ?? {}, name);
  return exampleOfType(schema, name);
}

/** Splits a schema with several types into one schema per type. */
function alternatives(schema: Schema): Schema[] | undefined {
  const { anyOf, oneOf, type } = schema;
  if (Array.isArray(type)) return type.map((one: unknown) => ({ ...schema, type: one }));
  return (anyOf ?? oneOf) as Schema[] | undefined;
}

/** Whether the schema accepts the typical value. */
function admits(schema: Schema, value: unknown): boolean {
  const choices = alternatives(schema);
  if (choices) return choices.some((choice) => admits(choice, value));
  switch (schema.type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'object':
      return typeof value === 'object' && value !== null && !schema.properties;
    case 'string':
      return (
        typeof value === 'string' &&
        !schema.format &&
        (!schema.pattern || new RegExp(schema.pattern as string).test(value))
      );
    default:
      return typeof value === schema.type;
  }
}

function exampleOfType(schema: Schema, name: string): unknown {
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema);
    case 'array': {
      const item = exampleOf((schema.items ?? {}) as Schema, name.replace(/s$/, ''));
      const least = Number(schema.minItems ?? 1);
      return Array.from({ length: Math.min(MAX_ITEMS, Math.max(1, least)) }, () => item);
    }
    case 'string':
      return exampleOfText(schema, name);
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 1), 1);
    case 'boolean':
      return true;
    default:
      return schema.type === 'null' ? null : {};
  }
}

function exampleOfObject({ properties = {}, required = [] }: Schema): unknown {
  const requiredNames = required as string[];
  const included = Object.entries(properties as Record<string, Schema>).filter(
    ([name, field]) => requiredNames.includes(name) || name in typical || 'examples' in field,
  );
  return Object.fromEntries(included.map(([name, field]) => [name, exampleOf(field, name)]));
}

function exampleOfText({ format, pattern }: Schema, name: string): string {
  if (format === 'date-time') return '2026-03-01T10:00:00.000Z';
  if (format === 'date') return '2026-03-01';
  if (format === 'uri') return 'https://gatehouse.example.com/';
  if (format === 'email') return 'owner@example.com';
  const candidates = [name || 'text', '1', 'EMPLOYEE_ID'];
  const admitted = new RegExp((pattern as string | undefined) ?? '');
  return candidates.find((text) => admitted.test(text)) ?? '';
}
