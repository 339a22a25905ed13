import { z } from 'zod';
import { InstallerError } from '../installer-error.ts';
import type { RemoteResponse } from '../remote/remote-response.ts';
import { sendRequest, type RequestOptions } from '../remote/send-request.ts';
import { type Clock, retry, parseJson } from '../remote/retry.ts';
import { oneLine } from '#lib/one-line.ts';
import { createToken, type NotaryCredentials } from './credentials.ts';

export interface NotaryOptions {
  /** Ends in `/notary/v2`. */
  url: string;
  credentials: NotaryCredentials;
  clock: Clock;
}

/** Upload location of a package, with credentials for that upload only. */
export interface Submission {
  id: string;
  bucket: string;
  object: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

export type NotaryStatus = 'Accepted' | 'In Progress' | 'Invalid' | 'Rejected';

/** Apple's notary REST API. All methods throw InstallerError. */
export interface NotaryApi {
  submit: (name: string, sha256: string) => Promise<Submission>;
  readStatus: (id: string) => Promise<NotaryStatus>;
  /** A temporary URL of the log, which needs no credentials. */
  readLogUrl: (id: string) => Promise<string>;
}

export function createNotaryApi(options: NotaryOptions): NotaryApi {
  const submissions = `${options.url}/submissions`;
  const call = async <T>(path: string, schema: z.ZodType<T>, body?: object) => {
    const response = await retry(options.clock, () => send(options, submissions + path, body));
    return read(options.url, response, schema);
  };
  return {
    submit: async (name, sha256) =>
      toSubmission(
        await call('', submissionSchema, { submissionName: name, sha256, notifications: [] }),
      ),
    readStatus: async (id) => (await call(pathOf(id), statusSchema)).data.attributes.status,
    readLogUrl: async (id) =>
      (await call(`${pathOf(id)}/logs`, logSchema)).data.attributes.developerLogUrl,
  };
}

const pathOf = (id: string) => `/${encodeURIComponent(id)}`;

const submissionSchema = z.object({
  data: z.object({
    id: z.string().min(1),
    attributes: z.object({
      awsAccessKeyId: z.string().min(1),
      awsSecretAccessKey: z.string().min(1),
      awsSessionToken: z.string().min(1),
      bucket: z.string().min(1),
      object: z.string().min(1),
    }),
  }),
});
const statusSchema = z.object({
  data: z.object({
    attributes: z.object({
      status: z.enum(['Accepted', 'In Progress', 'Invalid', 'Rejected']),
    }),
  }),
});
const logSchema = z.object({
  data: z.object({ attributes: z.object({ developerLogUrl: z.url({ protocol: /^https?$/ }) }) }),
});
const refusalSchema = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().optional() })).min(1),
});

function toSubmission({ data }: z.infer<typeof submissionSchema>): Submission {
  const { attributes } = data;
  return {
    id: data.id,
    bucket: attributes.bucket,
    object: attributes.object,
    accessKeyId: attributes.awsAccessKeyId,
    secretAccessKey: attributes.awsSecretAccessKey,
    sessionToken: attributes.awsSessionToken,
  };
}

async function send(options: NotaryOptions, url: string, body?: object): Promise<RemoteResponse> {
  const token = await createToken(options.credentials, options.clock.now());
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const question: RequestOptions = body
    ? { method: 'POST', headers, body: JSON.stringify(body) }
    : { headers };
  return sendRequest('notarization', url, question);
}

function read<T>(url: string, { status, body }: RemoteResponse, schema: z.ZodType<T>): T {
  const prefix = `notarization: ${new URL(url).host}`;
  const value = parseJson(body);
  if (status === 401)
    throw new InstallerError(
      `${prefix} rejected the key (401): check --notary-key, --notary-key-id and --notary-issuer`,
    );

  if (status < 200 || status > 299) {
    const { data } = refusalSchema.safeParse(value);
    const [first] = data?.errors ?? [];
    const why = first?.detail ?? first?.title;
    throw new InstallerError(`${prefix} answered ${status}${why ? `: ${oneLine(why)}` : ''}`);
  }
  const { data, success } = schema.safeParse(value);
  if (success) return data;
  throw new InstallerError(`${prefix} did not respond like Apple's notary service`);
}
