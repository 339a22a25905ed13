import { endOf } from '../detector.ts';
import { isExampleKey } from '../named-secrets/secret-names.ts';

/**
 * Private keys of 32 bytes in hexadecimal, as of Ethereum. They have no checksum, and hashes of
 * transactions, blocks and commits look the same, so what precedes them decides.
 */
interface HexKeyContext {
  /** The source of a pattern that ends where the number begins, before `0x`. */
  before: string;
  /** Hashes of other kinds have such names, too, but no `0x`. */
  needsPrefix?: true;
  source: string;
  /** The key is in brackets. */
  example: string;
  counterExample: string;
}

const KEY = '4c0883a69102937d6231471b5dbb6204fe512961708279f1a3b2c5d7e9f00a1b';
const HASH = '0x8a3f0c27d1b95e64f7a02c9d3e8b16f5a4c7d0e2b9f1836574a8c3d2e1f0b9a7';

/** Between a name and its value: quotes, a type, an operator, and what converts the value. */
const operator = String.raw`\\{0,3}["'\x60\]*]{0,3}(?:: ?[A-Za-z][\w.<>&]{0,24}(?= ?=))?[ \t]{0,24}(?:=>|:=|[:=]|(?<=["'\x60]),|[ \t](?:is )?)\s{0,24}`;
const conversion = String.raw`(?:[A-Za-z][\w.:]{0,40}\(){0,2}[[{(]?\s{0,24}(?:hex|h|b)?\\{0,3}["'\x60]?`;
const assigned = operator + conversion;
/** Of the first argument. */
const argument = String.raw`\(\s{0,24}${conversion}`;

/** What may follow `private key` in a name, unlike `id` or `hash`. */
const ending = String.raw`(?:[-_ ]?(?:hex|raw|bytes|evm|eth|\d{1,3}|[a-z]|mainnet|testnet|sepolia|goerli|holesky|mumbai|amoy|polygon|base|bsc|dev|prod|local|test|deployer|owner|admin|user)){0,2}`;
const ROLES =
  'account|admin|attester|batcher|bundler|burner|challenger|coinbase|deployer|eth|ethereum|evm|executor|faucet|funder|funding|guardian|hot|keeper|liquidator|miner|minter|operator|oracle|owner|paymaster|proposer|relayer|sender|sequencer|signer|treasury|validator|wallet';

export const hexKeyContexts: readonly HexKeyContext[] = [
  {
    before: `(?:priv(?:ate)?|sec(?:ret)?)[-_ ]?keys?${ending}${assigned}`,
    source: 'eips.ethereum.org/EIPS/eip-2335, docs.nethereum.com',
    example: `privkey: [${KEY}]`,
    counterExample: `privateKeyHash: ${HASH}`,
  },
  {
    before: `(?<![a-z])(?:${ROLES})[-_]?keys?(?:_\\d{1,3})?${assigned}`,
    needsPrefix: true,
    source:
      'book.getfoundry.sh/tutorials/solidity-scripting, hardhat.org/hardhat-runner/docs/config',
    example: `DEPLOYER_KEY=[0x${KEY}]`,
    counterExample: `bytes32 constant OWNER_KEY = ${HASH};`,
  },
  {
    before: `(?<![a-z])[ps]k(?:_?\\d{1,2})?${assigned}`,
    needsPrefix: true,
    source: 'book.getfoundry.sh/reference/forge-std/std-cheats',
    example: `export ANVIL_PK=[0x${KEY}]`,
    counterExample: `"pk": "${HASH.slice(2)}"`,
  },
  {
    before: String.raw`(?:wallet(?:\.create|\.add|s\.add)?|signing_?key|private_?key(?:_?to_?(?:account|address|public_?key)|signer)?|(?:from|import|with|set|add)_?(?:private|secret)?_?key|private_?key(?:signer)?(?:\.|::)(?:from|new|create)_?(?:hex|str(?:ing)?|slice|bytes)?|hex_?to_?ecdsa|credentials\.create)${argument}`,
    source:
      'docs.ethers.org/v6/api/wallet, viem.sh/docs/accounts/local/privateKeyToAccount, eth-account.readthedocs.io, docs.web3j.io',
    example: `const wallet = new ethers.Wallet("[0x${KEY}]", provider);`,
    counterExample: `await provider.getTransaction("${HASH}");`,
  },
  {
    before: String.raw`\bvm\.(?:start_?)?(?:broadcast|addr|sign|remember_?key)${argument}`,
    source: 'book.getfoundry.sh/cheatcodes',
    example: `vm.startBroadcast([0x${KEY}]);`,
    counterExample: `vm.store(target, ${HASH}, value);`,
  },
  {
    // Elsewhere, `accounts` are addresses, which are as long on some chains.
    before: String.raw`(?:url|chain_?id|hardhat|gas(?:price)?)(?=\W)[^{}]{0,200}\baccounts["']?: ?\[\s{0,24}["'\x60]`,
    source: 'hardhat.org/hardhat-runner/docs/reference/configuration#networks-configuration',
    example: `sepolia: { url: RPC, accounts: ["[0x${KEY}]"] }`,
    counterExample: `{ accounts: ["${HASH}"] }`,
  },
  {
    before: String.raw`private keys(?:\r?\n|\\n)={1,40}(?:\r?\n|\\n){1,2}\(0\) `,
    source: 'book.getfoundry.sh/anvil',
    example: `Private Keys\n==================\n\n(0) [0x${KEY}]`,
    counterExample: `Block Hashes\n==================\n\n(0) ${HASH}`,
  },
];

const anyContext = (contexts: readonly HexKeyContext[]): RegExp =>
  new RegExp(`(?<=${contexts.map(({ before }) => before).join('|')})`, 'iy');

const withPrefix = anyContext(hexKeyContexts);
const withoutPrefix = anyContext(hexKeyContexts.filter(({ needsPrefix }) => !needsPrefix));

/** Between two keys of a list. */
const nextItem = /^["'`]?,?\s{0,24}(?:\(\d{1,2}\) |["'`])?$/;
const MAX_BETWEEN = 40;

/** In Solidity, the type of hashes, roles and places in storage. */
const ofHash = /(?<=\bbytes32\b[^\n;]{0,60})/y;

const hexadecimal = /^(?:0x)?[\da-f]{64}$/i;

/**
 * Creates a test of whether a word is such a key, for words in text order. After a key, the next one
 * in the same list is a key as well.
 */
export function hexKeyReader(text: string): (start: number, end: number) => boolean {
  let previous: number | undefined;
  return (start, end) => {
    if (end - start !== 64 && end - start !== 66) return false;
    const word = text.slice(start, end);
    if (!hexadecimal.test(word)) return false;
    const hasPrefix = word.length > 64;
    const isListed =
      previous !== undefined &&
      start - previous <= MAX_BETWEEN &&
      nextItem.test(text.slice(previous, start));
    if (!isListed && endOf(hasPrefix ? withPrefix : withoutPrefix, text, start) === -1)
      return false;
    if (isExampleKey(word.slice(-64)) || endOf(ofHash, text, start) !== -1) return false;
    previous = end;
    return true;
  };
}

const memberName = new RegExp(
  `(?:priv(?:ate)?|sec(?:ret)?)[-_ ]?keys?${ending}$|(?:^|[-_])(?:${ROLES})[-_]?keys?$|^[ps]k$`,
  'i',
);
const needsPrefix = /^(?!.*(?:priv|sec)).*/i;

/** For the name of a member that holds such a key, a test for its value. */
export function hexKeyOfMember(member: string): ((value: string) => boolean) | undefined {
  if (!memberName.test(member.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2'))) return undefined;
  const least = needsPrefix.test(member) ? 66 : 64;
  return (value) =>
    value.length >= least && hexadecimal.test(value) && !isExampleKey(value.slice(-64));
}
