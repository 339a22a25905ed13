import { EventEmitter } from 'node:events';

type Grant = (contents: null, permission: string, answer: (granted: boolean) => void) => void;
type Check = (contents: null, permission: string) => boolean;
type Filter = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void;
type Serve = (request: { url: string }) => Promise<Response>;

/** A stand-in for Electron's `session`. Like Electron, it allows everything that is not denied. */
export function createSession() {
  let grant: Grant = (_contents, _permission, answer) => answer(true);
  let check: Check = () => true;
  let checkDevice: () => boolean = () => false;
  let filter: Filter = (_details, answer) => answer({});
  const schemes = new Map<string, Serve>();

  return Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: (handler: Grant) => void (grant = handler),
    setPermissionCheckHandler: (handler: Check) => void (check = handler),
    setDevicePermissionHandler: (handler: () => boolean) => void (checkDevice = handler),
    webRequest: { onBeforeRequest: (handler: Filter) => void (filter = handler) },
    protocol: {
      handle(scheme: string, serve: Serve) {
        if (schemes.has(scheme)) throw new Error(`protocol '${scheme}' is already handled`);
        schemes.set(scheme, serve);
      },
    },

    /** Returns whether the session grants a permission: on request, on check, and for a device. */
    grants: async (permission: string) => [
      await new Promise<boolean>((resolve) => grant(null, permission, resolve)),
      check(null, permission),
      checkDevice(),
    ],

    /** The response that a page of this session gets. */
    async fetch(url: string): Promise<Response> {
      const cancelled = await new Promise<boolean>((resolve) =>
        filter({ url }, ({ cancel = false }) => resolve(cancel)),
      );
      if (cancelled) return Response.error();
      const serve = schemes.get(new URL(url).protocol.slice(0, -1));
      return serve ? serve({ url }) : new Response('from the network');
    },
  });
}

export type StandInSession = ReturnType<typeof createSession>;
