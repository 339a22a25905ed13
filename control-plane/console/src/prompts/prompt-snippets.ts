/** Programs that fetch a prompt and record the calls made with it. */
export interface PromptSnippet {
  id: 'curl' | 'typescript' | 'python';
  name: string;
  text: string;
}

interface Target {
  /** Origin of the installation. */
  url: string;
  name: string;
  /** The label to fetch. Without a label and a version, the newest version is fetched. */
  label?: string | undefined;
  version?: number | undefined;
  /** Names of the variables to fill in. */
  variables: readonly string[];
}

export const promptSnippets = (target: Target): readonly PromptSnippet[] => [
  { id: 'curl', name: 'curl', text: curl(target) },
  { id: 'typescript', name: 'TypeScript', text: typescript(target) },
  { id: 'python', name: 'Python', text: python(target) },
];

function curl({ url, name, label, version }: Target): string {
  const query = new URLSearchParams({
    ...(version !== undefined && { version: String(version) }),
    ...(label !== undefined && { label }),
  }).toString();
  // A single quote would end the shell string.
  const path = encodeURIComponent(name).replaceAll("'", '%27');
  return `curl -fsS '${url}/api/v1/observe/prompts/${path}/${query && `?${query}`}' \\
  -H "X-Svc-Key: $SVC_API_KEY"`;
}

function typescript({ url, name, label, version, variables }: Target): string {
  const options =
    version !== undefined
      ? `, { version: ${version} }`
      : label !== undefined
        ? `, { label: ${JSON.stringify(label)} }`
        : '';
  const values = variables.map((one) => `${JSON.stringify(one)}: '…'`).join(', ');
  return `import { getPrompt, init, recordCall } from 'svc-observe';

init({ baseUrl: '${url}', apiKey: process.env.SVC_API_KEY });

const prompt = await getPrompt(${JSON.stringify(name)}${options});
const content = prompt.compile(${values && `{ ${values} }`});
// Call your model with content, inside of an observed function, and record the call:
recordCall({ model: 'gpt-4o', tokensIn: 14, tokensOut: 7, prompt });`;
}

function python({ url, name, label, version, variables }: Target): string {
  const option =
    version !== undefined
      ? `, version=${version}`
      : label !== undefined
        ? `, label=${JSON.stringify(label)}`
        : '';
  // Names that are not identifiers are passed as a dictionary.
  const values = variables.map((one) => `${JSON.stringify(one)}: "…"`).join(', ');
  return `import os
import svc_observe

svc_observe.init(base_url="${url}", api_key=os.environ["SVC_API_KEY"])

prompt = svc_observe.get_prompt(${JSON.stringify(name)}${option})
content = prompt.compile(${values && `**{${values}}`})
# Call your model with content, inside of an observed function, and record the call:
svc_observe.record_call(model="gpt-4o", tokens_in=14, tokens_out=7, prompt=prompt)`;
}
