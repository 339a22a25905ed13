// @module-tag openssl

import { randomBytes } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { TimeStampReq } from '@peculiar/asn1-tsp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childAt, readBer } from '#pki/cms/ber.ts';
import { createTestAuthority } from '../../testing/authority.ts';
import { createTimestampAuthority } from '../../testing/timestamp-authority.ts';
import { createWorkshop, type Workshop } from '../../testing/workshop.ts';
import { InstallerError } from '../../installer-error.ts';
import { createQuery, type TimestampQuery } from './query.ts';
import { readTimestamp } from './token.ts';

const query: TimestampQuery = createQuery(randomBytes(256));

let workshop: Workshop;
let reply: Buffer;
let weakReply: Buffer;
let replyWithoutNonce: Buffer;
beforeAll(async () => {
  workshop = await createWorkshop();
  const authority = await createTestAuthority();
  const signer = await authority.issueTimestamp();
  const chain = [authority.authority.certificate];
  const askFor = async (signerDigest: 'sha1' | 'sha256', body = query.der): Promise<Buffer> => {
    await using server = await createTimestampAuthority({ workshop, signer, chain, signerDigest });
    const headers = { 'content-type': 'application/timestamp-query' };
    const answer = await fetch(server.url, { method: 'POST', headers, body });
    return Buffer.from(await answer.arrayBuffer());
  };
  reply = await askFor('sha256');
  weakReply = await askFor('sha1');
  const { version, messageImprint } = AsnConvert.parse(query.der, TimeStampReq);
  const bare = new TimeStampReq({ version, messageImprint, certReq: true });
  replyWithoutNonce = await askFor('sha256', Buffer.from(AsnConvert.serialize(bare)));
});
afterAll(() => workshop[Symbol.asyncDispose]());

describe('the response of a timestamp authority', () => {
  test('yields the token and its time', () => {
    const { token, time } = readTimestamp(reply, query);
    expect(reply.subarray(-token.length)).toEqual(token);
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
  });

  test('is rejected if it is signed with SHA-1, which verifiers would not accept later', () => {
    expect(failureOf(() => readTimestamp(weakReply, query))?.message).toBe(
      'the token: digest algorithm 1.3.14.3.2.26 is too weak or unknown',
    );
  });

  test('is rejected if it is for another request, or has no nonce', () => {
    const message = 'the token belongs to another request: its nonce differs';
    const other = { ...query, nonce: randomBytes(query.nonce.length) };
    expect(failureOf(() => readTimestamp(reply, other))?.message).toBe(message);
    expect(failureOf(() => readTimestamp(replyWithoutNonce, query))?.message).toBe(message);
  });

  test('is rejected with one line after any byte was changed', () => {
    for (const part of readParts()) {
      const start = reply.indexOf(part);
      for (let position = start; position < start + part.length; position += 5) {
        const changed = Buffer.from(reply);
        changed[position]! ^= 0x21;
        const error = failureOf(() => readTimestamp(changed, query));
        expect({ position, error }).not.toEqual({ position, error: null });
      }
    }
  });

  test('is rejected with one line wherever it is truncated', () => {
    for (let length = 0; length < reply.length; length += 29)
      expect(failureOf(() => readTimestamp(reply.subarray(0, length), query))).not.toBeNull();
  });

  /** The rejection, or null if there is none. Errors of other types are bugs and rethrown. */
  function failureOf(read: () => unknown): InstallerError | null {
    try {
      read();
      return null;
    } catch (error) {
      if (error instanceof InstallerError) return error;
      throw error;
    }
  }

  /** The parts of the reply: type, statement, and the signer's name, attributes and signature. */
  function readParts(): Buffer[] {
    const token = childAt(readBer(reply), 1);
    const signedData = childAt(childAt(token, 1), 0);
    const signer = childAt(signedData.children.at(-1)!, 0);
    const [, name, , attributes, , signature] = signer.children;
    return [childAt(token, 0), childAt(signedData, 2), name, attributes, signature].map(
      (one) => one!.raw,
    );
  }
});
