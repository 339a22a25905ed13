import type { SmtpSettings } from '../../config.ts';
import type { Outcome } from '../retry-rules.ts';
import { oneLine } from '../text-rules.ts';

const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;

export interface Email {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export const NO_SMTP = 'SMTP_URL and SMTP_FROM are not set: the operator sets the mail server';

/** Sends one email through the operator's mail server. */
export async function sendEmail(smtp: SmtpSettings | undefined, email: Email): Promise<Outcome> {
  if (!smtp) return { kind: 'refused', error: NO_SMTP, retry: false };
  // The module is loaded only if it is used.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtp.url, {
    from: smtp.from,
    // Credentials are never sent without TLS.
    requireTLS: hasCredentials(smtp.url),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  try {
    const { to, subject, text, html, id } = email;
    const domain = /@([^\s>]+)/.exec(smtp.from)?.[1] ?? 'localhost';
    // The id is the same for every attempt, by which mail programs recognize a repeated message.
    const messageId = `<${id}@${domain}>`;
    const headers = { 'Auto-Submitted': 'auto-generated' };
    const sent = (await transport.sendMail({
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId,
      headers,
    })) as { response?: string };
    return { kind: 'delivered', answer: oneLine(sent.response ?? '', 200) };
  } catch (error) {
    return refusalOf(error);
  } finally {
    transport.close();
  }
}

const hasCredentials = (url: string): boolean => new URL(url).username !== '';

const errorTexts: Readonly<Record<string, string>> = {
  ECONNECTION: 'no connection to the mail server',
  ESOCKET: 'no connection to the mail server',
  EDNS: 'the host name of the mail server cannot be resolved',
  ETIMEDOUT: 'the mail server did not answer in time',
  ETLS: 'no encrypted connection to the mail server',
  EAUTH: 'the mail server refused the credentials of SMTP_URL',
};

/**
 * Describes a failure. Replies from 500 are final (RFC 5321, 4.2.1), except those about the
 * operator's credentials.
 */
function refusalOf(error: unknown): Outcome {
  const {
    code = '',
    response,
    responseCode = 0,
  } = error as {
    code?: string;
    response?: string;
    responseCode?: number;
  };
  const answer = code === 'EAUTH' || !response ? undefined : oneLine(response, 200);
  const problem = answer === undefined ? errorTexts[code] : `the mail server answered ${answer}`;
  const retry = responseCode < 500 || code === 'EAUTH';
  return { kind: 'refused', error: problem ?? 'the mail server failed', answer, retry };
}
