// @module-tag openssl

import { randomBytes } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { TimeStampReq } from '@peculiar/asn1-tsp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readElements } from '#pki/cms/der.ts';
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

describe('the answer of a timestamp authority', () => {
  it('yields the token and its time', () => {
    const { token, time } = readTimestamp(reply, query);
    expect(reply.subarray(-token.length)).toEqual(token);
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
  });

  it('is rejected if it is signed over SHA-1, which verifiers would not accept later', () => {
    expect(failureOf(() => readTimestamp(weakReply, query))?.message).toBe(
      "the token's digest 1.3.14.3.2.26 is none of SHA-2",
    );
  });

  it('is rejected if it is for another request, or for none', () => {
    const message = 'the token answers another request: its nonce differs';
    const other = { ...query, nonce: randomBytes(query.nonce.length) };
    expect(failureOf(() => readTimestamp(reply, other))?.message).toBe(message);
    expect(failureOf(() => readTimestamp(replyWithoutNonce, query))?.message).toBe(message);
  });

  it('is rejected with one line after any byte was changed', () => {
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

  it('is rejected with one line wherever it is truncated', () => {
    for (let length = 0; length < reply.length; length += 29) {
      expect(failureOf(() => readTimestamp(reply.subarray(0, length), query))).not.toBeNull();
    }
  });

  /** Null without a rejection. Errors of other kinds are bugs and rethrown. */
  function failureOf(read: () => unknown): InstallerError | null {
    try {
      read();
      return null;
    } catch (error) {
      if (error instanceof InstallerError) return error;
      throw error;
    }
  }

  /** Type, statement, and the signer's name, attributes and signature. */
  function readParts(): Buffer[] {
    const [, token] = readElements(reply.subarray(4));
    const [type, wrapper] = readElements(token!.content);
    const parts = readElements(readElements(wrapper!.content)[0]!.content);
    const [, name, , attributes, , signature] = readElements(
      readElements(parts.at(-1)!.content)[0]!.content,
    );
    return [type, parts[2], name, attributes, signature].map((one) => one!.raw);
  }
});
