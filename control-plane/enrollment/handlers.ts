import type { deviceRoutes } from '#contract/device-protocol.ts';
import type { Handlers } from '../handler.ts';
import { enrollDevice } from './enroll.ts';
import { renewDevice } from './renew.ts';
import { readSigningRequests } from './signing-requests.ts';

export const enrollmentHandlers: Pick<Handlers<typeof deviceRoutes>, 'enroll' | 'renew'> = {
  async enroll(context, request) {
    const { identity_csr: _identity, ca_csr: _ca, ...description } = request.body;
    return enrollDevice(context, request, description, await readSigningRequests(request.body));
  },

  async renew(context, { caller, body }) {
    return renewDevice(context, caller, await readSigningRequests(body));
  },
};
