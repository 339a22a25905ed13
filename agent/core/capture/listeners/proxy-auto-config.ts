/**
 * A proxy auto-configuration file: the hosts through the proxy, and directly where that does not
 * answer; everything else directly. Only addresses of TLS: the proxy does nothing but tunnels. A
 * host `*.example.com` means those one label below. In the JavaScript that old readers of such
 * files understand.
 */
export function proxyAutoConfig(hosts: readonly string[], port: number): string {
  const listed = JSON.stringify(Object.fromEntries(hosts.map((host) => [host, 1])), null, 2);
  return `var hosts = ${listed};

function isListed(name) {
  return Object.prototype.hasOwnProperty.call(hosts, name);
}

function FindProxyForURL(url, host) {
  var scheme = url.substring(0, url.indexOf(':')).toLowerCase();
  var name = host.toLowerCase().replace(/\\.$/, '');
  var isTls = scheme === 'https' || scheme === 'wss';
  if (isTls && (isListed(name) || isListed('*' + name.substring(name.indexOf('.'))))) {
    return 'PROXY 127.0.0.1:${port}; DIRECT';
  }
  return 'DIRECT';
}
`;
}
