import { expect, test } from 'vitest';
import { splitWords } from './command-line.ts';
import { launchText, serverText } from './launch-text.ts';
import { readLaunch } from './launch.ts';

const launch = (line: string) => readLaunch(splitWords(line));

const FILES = '@modelcontextprotocol/server-filesystem';

test.each([
  [`sudo -u ada npx -y ${FILES}`, `npx ${FILES}`, 'sudo'],
  [`env -u X A=b npx ${FILES}`, `npx ${FILES}`, 'env'],
  [`sh -c "cd /x && exec npx -y ${FILES} /"`, `npx ${FILES}`, 'sh,exec'],
  [`cmd /c npx.cmd -y ${FILES}`, `npx ${FILES}`, 'cmd'],
  [`op run --env-file x -- npx ${FILES}`, `npx ${FILES}`, 'op'],
  [`mise exec node@22 -- npx ${FILES}`, `npx ${FILES}`, 'mise'],
  [`timeout -k 1 5 npx ${FILES}`, `npx ${FILES}`, 'timeout'],
  [`gatehouse-agent mcp --name files -- npx -y ${FILES} /srv`, `npx ${FILES}`, 'gatehouse-agent'],
  [`npx cross-env A=b npx ${FILES}`, `npx ${FILES}`, 'npx,cross-env'],
  ['uv run --with mcp-server-fetch mcp-server-fetch', 'uvx mcp-server-fetch', 'uv'],
  ['uv --directory /x run -m mcp_server_git', 'python pypi:mcp-server-git', 'uv'],
  ['uv run https://x.example/a.py', 'uvx https://x.example/a.py', 'uv'],
  ['python3 -m mcp_server_git', 'python3 pypi:mcp-server-git', ''],
  ['python3 -m acme_files', 'python3 -m acme_files', ''],
  [`node /x/node_modules/${FILES}/dist/index.js /`, `node npm:${FILES}`, ''],
  ['npx tsx /home/ada/x.ts', 'tsx ~/x.ts', 'npx'],
  ['node @acme/x', 'node ./@acme/x', ''],
  ['deno run -A @acme/x', 'deno ./@acme/x', ''],
  ['npx -p @acme/x node /tmp/evil.js', 'node /tmp/evil.js', 'npx'],
  ['npx -p @acme/x -p evil evil', 'npx evil', ''],
  ['docker run -v/x:/y --pull=always mcp/git', 'docker mcp/git', ''],
  ['docker --context x run --rm mcp/git', 'docker mcp/git', ''],
  ['npx mcp-remote https://a.example/sse', 'npx mcp-remote to https://a.example', ''],
  ['npx mcp-remote --header https://a.example $URL', 'npx mcp-remote', ''],
  ['supergateway --port 1 --sse https://a.example/s', 'supergateway to https://a.example', ''],
  ['npx @smithery/cli run @x/y --key a', 'npx @smithery/cli to smithery:@x/y', ''],
  ['sh -c "evil; npx -y @acme/x"', 'sh', ''],
  ['/tmp/evil/github-mcp-server', '/tmp/evil/github-mcp-server', ''],
])('%s is %s, run by %s', (line, shown, through) => {
  const found = launch(line);
  expect([serverText(found, '/home/ada'), found.through.join()]).toEqual([shown, through]);
});

test('a hook shows no path', () => {
  expect(launchText(launch('sudo node /home/ada/x.js'))).toBe('node');
});
