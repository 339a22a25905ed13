import type { AdminCaller } from '../../http/caller.ts';
import { networkOf } from '../networks.ts';
import { fairQueue } from './fair-queue.ts';

/**
 * The queue for all password hashing in this process, as there is one thread for it: see
 * docs/decisions/014. When it is full, requests are rejected before any database query.
 */
const queue = fairQueue();

/** A hash takes about half a second: the last task waits about eight seconds. */
const PLACES = 16;
/** Extra capacity for signed-in users, so that anonymous clients cannot lock them out. */
const PLACES_OF_SIGNED_IN = PLACES + 4;

/** For callers that are not signed in: each network is one source. */
export const inTurnOfNetwork = <T>(address: string, work: () => Promise<T>): Promise<T> =>
  queue.inTurn(`network ${networkOf(address)}`, PLACES, work);

export const inTurnOfCaller = <T>(caller: AdminCaller, work: () => Promise<T>): Promise<T> =>
  queue.inTurn('userId' in caller ? caller.userId : caller.keyId, PLACES_OF_SIGNED_IN, work);
