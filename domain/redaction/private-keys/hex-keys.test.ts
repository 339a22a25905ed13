import { describe, expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { hexKeyContexts } from './hex-keys.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { redactText } from '../redact-text.ts';

const detectors = builtinDetectors(['PRIVATE_KEY']);
const redacted = (text: string): string => redactText(text, detectors).text;
const rules = { detectors, keys: memberRules([]) };
const redactedJson = (value: unknown): unknown => redactJson(value, rules).value;

const BARE = '4c0883a69102937d6231471b5dbb6204fe512961708279f1a3b2c5d7e9f00a1b';
const KEY = `0x${BARE}`;
const OTHER = '0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const HIDDEN = '##PRIVATE_KEY##';

describe.each(hexKeyContexts)('$before', ({ example, counterExample, source }) => {
  test('example', () => {
    expect(redacted(example.replace(/\[(0x)?[\da-f]{64}\]/, (key) => key.slice(1, -1)))).toBe(
      example.replace(/\[(0x)?[\da-f]{64}\]/, HIDDEN),
    );
    expect(source.length).toBeGreaterThan(5);
  });
  test('counter-example', () => {
    expect(redacted(counterExample)).toBe(counterExample);
  });
});

test.each([
  `privkey = "[${BARE}]"`,
  `const PRIVATE_KEY_1: Hex = "[${KEY}]";`,
  `PRIVATE_KEY_SEPOLIA=[${KEY}]`,
  `PRIVATE_KEYS=[${KEY}],[${OTHER}]`,
  `my private key is [${KEY}], help`,
  `uint256 deployerKey = vm.envOr("DEPLOYER_KEY", uint256([${KEY}]));`,
  `private_key = bytes.fromhex("[${BARE}]")`,
  `const a = privateKeyToAccount('[${KEY}]');`,
  `account = Account.from_key("[${KEY}]")`,
  `web3.eth.accounts.privateKeyToAccount("[${KEY}]")`,
  `web3.eth.accounts.wallet.add("[${KEY}]")`,
  `privateKey, err := crypto.HexToECDSA("[${BARE}]")`,
  `Credentials credentials = Credentials.create("[${KEY}]");`,
  `new ethers.SigningKey(\n  "[${KEY}]",\n)`,
  `PrivateKey.fromHex("[${BARE}]")`,
  `vm.setEnv("PRIVATE_KEY", "[${KEY}]");`,
  `cast send --private-key [${KEY}] --rpc-url $RPC`,
  `networks: { x: { url: "https://a", accounts: [\n  "[${KEY}]",\n  "[${OTHER}]",\n] } }`,
  `Private Keys\n==================\n\n(0) [${KEY}]\n(1) [${OTHER}]\n`,
  `{\\"privkey\\": \\"[${KEY}]\\"}`,
])('the keys in %s', (text) => {
  expect(redacted(text.replaceAll(/\[((?:0x)?[\da-f]{64})\]/g, '$1'))).toBe(
    text.replaceAll(/\[(?:0x)?[\da-f]{64}\]/g, HIDDEN),
  );
});

test.each([
  `txHash: "${KEY}"`,
  `commit ${BARE}`,
  `sha256:${BARE}`,
  `bytes32 private constant SIGNER_KEY = ${KEY};`,
  `private_key_hash: ${KEY}`,
  `private_key_fingerprint = "${BARE}"`,
  `account_key_hash = ${KEY}`,
  `owner_key: ${BARE}`,
  `sk: ${BARE}`,
  `task: ${KEY}`,
  `accounts: ["${KEY}"]`,
  `provider.getBlock("${KEY}")`,
  `keccak256(privateKey) = ${KEY}`,
  `ecsign(privateKey, "${KEY}")`,
  `PRIVATE_KEY=0x${'0'.repeat(63)}1`,
  `PRIVATE_KEY=0x${'ab'.repeat(32)}`,
  `PRIVATE_KEY=${KEY}00`,
  `private key: none\ntx ${KEY}`,
  KEY,
])('no key in %s', (text) => {
  expect(redacted(text)).toBe(text);
});

test('members of JSON', () => {
  const value = {
    privkey: BARE,
    privateKey: KEY,
    deployerKey: KEY,
    sk: KEY,
    blockHash: KEY,
    ownerKey: BARE,
    privateKeyHash: BARE,
    note: KEY,
  };
  expect(redactedJson(value)).toEqual({
    ...value,
    privkey: HIDDEN,
    privateKey: HIDDEN,
    deployerKey: HIDDEN,
    sk: HIDDEN,
  });
});
