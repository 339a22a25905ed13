import type { X509Certificate } from 'node:crypto';
import { childAt, readBer } from '#pki/cms/ber.ts';
import { element, sequence, smallInteger } from '#pki/cms/der.ts';
import { readSignedData } from '#pki/cms/signed-data.ts';
import type { TestCertificate } from './certificates.ts';
import { readBody, type Reply, serve, type TestServer } from './serve.ts';
import { toPem, type Workshop } from './workshop.ts';

/** Modifies the next response for a test. */
export type Change = (reply: Buffer, query: Buffer) => Promise<Reply> | Reply;

export interface TimestampAuthority extends TestServer {
  /** Queues a change. Each change applies to one response, in order. */
  changeNext: (change: Change) => void;
  /** Number of requests. */
  count: () => number;
}

export interface TimestampAuthorityOrder {
  workshop: Workshop;
  signer: TestCertificate;
  /** The signer's issuers. */
  chain: readonly X509Certificate[];
  /** The accepted digests. Others are rejected. */
  digests?: string;
  /** The digest of the signature. Default: SHA-256. */
  signerDigest?: 'sha1' | 'sha256';
}

/** Starts a timestamp authority (RFC 3161) that responds with `openssl ts -reply`. */
export async function createTimestampAuthority(
  order: TimestampAuthorityOrder,
): Promise<TimestampAuthority> {
  const { workshop } = order;
  await writeConfiguration(order);
  const changes: Change[] = [];
  let count = 0;
  const server = await serve(async (request) => {
    count += 1;
    if (request.headers['content-type'] !== 'application/timestamp-query') return { status: 415 };
    const query = await readBody(request);
    const reply = await answer(workshop, query, count);
    return changes.shift()?.(reply, query) ?? { headers, body: reply };
  });
  return { ...server, changeNext: (change) => void changes.push(change), count: () => count };
}

const headers = { 'content-type': 'application/timestamp-reply' };

async function writeConfiguration(order: TimestampAuthorityOrder): Promise<void> {
  const { workshop, signer, chain } = order;
  await workshop.write('tsa.key', signer.key.export({ type: 'pkcs8', format: 'pem' }));
  await workshop.write('tsa.pem', toPem(signer.certificate));
  await workshop.write('tsa-chain.pem', toPem(...chain));
  await workshop.write('tsa-serial', '01');
  const config = ['[tsa]', 'serial = tsa-serial', 'crypto_device = builtin', 'accuracy = secs:1'];
  config.push('default_policy = 1.2.3.4', `digests = ${order.digests ?? 'sha256'}`);
  config.push('signer_cert = tsa.pem', 'signer_key = tsa.key', 'certs = tsa-chain.pem');
  config.push(`signer_digest = ${order.signerDigest ?? 'sha256'}`);
  config.push('ess_cert_id_alg = sha256', 'ess_cert_id_chain = no');
  await workshop.write('tsa.cnf', `${config.join('\n')}\n`);
}

async function answer(workshop: Workshop, query: Buffer, number: number): Promise<Buffer> {
  await workshop.write(`query-${number}`, query);
  const { ok, output } = await workshop.run(
    'openssl ts -reply -config tsa.cnf -section tsa ' +
      `-queryfile query-${number} -out reply-${number}`,
  );
  if (!ok) throw new Error(`openssl ts: ${output}`);
  return workshop.read(`reply-${number}`);
}

/** Signs the same statement with another signer, as an impostor would. */
export async function signAgain(
  workshop: Workshop,
  reply: Buffer,
  signer: TestCertificate,
): Promise<Buffer> {
  await workshop.write('impostor.key', signer.key.export({ type: 'pkcs8', format: 'pem' }));
  await workshop.write('impostor.pem', toPem(signer.certificate));
  await workshop.write('statement', readStatement(reply));
  const { ok, output } = await workshop.run(
    'openssl cms -sign -binary -nodetach -econtent_type 1.2.840.113549.1.9.16.1.4 -md sha256 ' +
      '-outform DER -in statement -signer impostor.pem -inkey impostor.key -out token',
  );
  if (!ok) throw new Error(`openssl cms: ${output}`);
  return sequence(sequence(smallInteger(0)), await workshop.read('token'));
}

/** The bytes of TSTInfo inside the reply, the token and the SignedData. */
function readStatement(reply: Buffer): Buffer {
  const { content } = readSignedData(childAt(readBer(reply), 1).raw);
  if (!content) throw new Error('the reply is signed without its statement');
  return content;
}

/** Creates a granted response without a token. */
export const tokenless = (): Buffer => element(0x30, sequence(smallInteger(0)));
