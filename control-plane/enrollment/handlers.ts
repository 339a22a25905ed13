import type { deviceRoutes } from '#contract/device-protocol.ts';
import type { Handlers } from '../handler.ts';
import { enrollDevice } from './enroll.ts';
import { renewDevice } from './renew.ts';
import { readSigningRequests } from './signing-requests.ts';

export const enrollmentHandlers: Pick<Handlers<typeof deviceRoutes>, 'enroll' | 'renew'> = {
  async enroll(context, call) {
    const { identity_csr: _identity, ca_csr: _ca, ...description } = call.body;
    return enrollDevice(context, call, description, await readSigningRequests(call.body));
  },

  async renew(context, { caller, body }) {
    return renewDevice(context, caller, await readSigningRequests(body));
  },
};
