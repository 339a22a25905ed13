import type { Launcher } from './launchers.ts';

/** A package that connects a client to a server at an address, which is the actual server. */
interface RemoteProxy extends Pick<Launcher, 'flags' | 'valued' | 'named'> {
  /** Subcommands before the options. */
  commands?: readonly (readonly string[])[];
  /** Set if it is given the name of a server in a directory: the prefix of such names. */
  directory?: string;
}

const list = (text: string) => text.split(' ');

/**
 * Sources: geelen/mcp-remote@d26e5a821ee7 src/lib/utils.ts, sparfenyuk/mcp-proxy@a6720cc4f0bb
 * src/mcp_proxy/__main__.py, supercorp-ai/supergateway@ffd7d247161d src/index.ts,
 * smithery-ai/cli@407ac3b33944 src/index.ts.
 */
export const remoteProxies: ReadonlyMap<string, RemoteProxy> = new Map<string, RemoteProxy>([
  ['mcp-remote', { flags: [], valued: ['--header', '--ignore-tool'] }],
  [
    'mcp-proxy',
    {
      flags: list('--debug --no-debug --no-verify-ssl --pass-environment --stateless'),
      valued: list('--transport --client-id --client-secret --token-url --log-level'),
    },
  ],
  [
    'supergateway',
    {
      flags: ['--stateful'],
      valued: list(
        '--outputTransport --port --baseUrl --ssePath --messagePath --streamableHttpPath --logLevel' +
          ' --header --oauth2Bearer --sessionTimeout --protocolVersion',
      ),
      named: ['--sse', '--streamableHttp'],
    },
  ],
  [
    '@smithery/cli',
    { commands: [['run']], flags: [], valued: ['--config', '--key'], directory: 'smithery' },
  ],
]);
