/**
 * A proxy auto-configuration file that sends TLS connections of the hosts through the proxy, or
 * directly if the proxy does not respond, and everything else directly. A host `*.example.com`
 * covers hosts one label below. Uses old JavaScript for old PAC interpreters.
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
