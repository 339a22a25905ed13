import type { AdminCaller } from '../../http/caller.ts';
import { networkOf } from '../networks.ts';
import { fairQueue } from './fair-queue.ts';

/**
 * One line for whatever hashes passwords in this process, as there is one thread for it: see
 * docs/decisions/014. Whoever finds the line full is refused before the database is asked anything.
 */
const line = fairQueue();

/** A hash takes about half a second: whoever is last waits some eight seconds. */
const PLACES = 16;
/** Some more for people who are signed in: strangers who fill the line do not keep them out. */
const PLACES_OF_SIGNED_IN = PLACES + 4;

/** For somebody who is not signed in yet: all of their network are one. */
export const inTurnOfNetwork = <T>(address: string, work: () => Promise<T>): Promise<T> =>
  line.inTurn(`network ${networkOf(address)}`, PLACES, work);

export const inTurnOfCaller = <T>(caller: AdminCaller, work: () => Promise<T>): Promise<T> =>
  line.inTurn('userId' in caller ? caller.userId : caller.keyId, PLACES_OF_SIGNED_IN, work);
