/**
 * Hosts that are never captured, even if a catalog contains them: banking, health and mail. The
 * lists are broad on purpose. Refusing one host too many costs an admin a capture; refusing one too
 * few would upload a user's bank account or medical record.
 */
export interface RefusedHosts {
  category: 'banking' | 'health' | 'mail';
  /** Top-level domains that are reserved for this category. */
  topLevel: readonly string[];
  /** Whole words: a label, or a part of a label between hyphens. */
  words: readonly string[];
  /** Beginnings and ends of such words, as in `bankofamerica` and `commerzbank`. */
  affixes: readonly string[];
  /** Domains whose name does not reveal their kind, with their subdomains. */
  domains: readonly string[];
}

export const refusedHosts: readonly RefusedHosts[] = [
  {
    category: 'banking',
    topLevel: ['bank', 'creditunion', 'insurance', 'barclays', 'bnpparibas', 'citi', 'hsbc'],
    words: ['brokerage', 'creditunion', 'ebanking', 'fcu', 'netbank', 'payroll', 'sparkasse'],
    affixes: ['bank', 'banking', 'banque', 'banco', 'sparkasse', 'raiffeisen'],
    domains: [
      'adyen.com',
      'americanexpress.com',
      'barclays.co.uk',
      'capitalone.com',
      'chase.com',
      'citi.com',
      'coinbase.com',
      'fidelity.com',
      'hsbc.com',
      'hsbc.co.uk',
      'ing.com',
      'ing.de',
      'jpmorgan.com',
      'mastercard.com',
      'monzo.com',
      'n26.com',
      'paypal.com',
      'plaid.com',
      'revolut.com',
      'santander.com',
      'schwab.com',
      'stripe.com',
      'ubs.com',
      'vanguard.com',
      'visa.com',
      'wellsfargo.com',
      'wise.com',
    ],
  },
  {
    category: 'health',
    topLevel: ['clinic', 'dental', 'dentist', 'doctor', 'health', 'healthcare', 'hospital', 'med'],
    words: ['clinic', 'ehr', 'emr', 'medical', 'mychart', 'patient', 'patients', 'telehealth'],
    affixes: ['health', 'healthcare', 'hospital', 'klinik', 'pharmacy', 'apotheke', 'medicare'],
    domains: [
      'aetna.com',
      'amwell.com',
      'athenahealth.com',
      'bcbs.com',
      'betterhelp.com',
      'cerner.com',
      'cigna.com',
      'cvs.com',
      'doctolib.com',
      'doctolib.de',
      'doctolib.fr',
      'epic.com',
      'hims.com',
      'kaiserpermanente.org',
      'labcorp.com',
      'mayoclinic.org',
      'nhs.uk',
      'questdiagnostics.com',
      'talkspace.com',
      'teladoc.com',
      'walgreens.com',
      'webmd.com',
      'zocdoc.com',
    ],
  },
  {
    category: 'mail',
    topLevel: ['email'],
    words: ['autodiscover', 'imap', 'mailbox', 'outlook', 'owa', 'pop', 'pop3', 'smtp'],
    affixes: ['mail', 'webmail', 'email'],
    domains: [
      'gmx.com',
      'gmx.de',
      'gmx.net',
      'hey.com',
      'icloud.com',
      'live.com',
      'mimecast.com',
      'office.com',
      'office365.com',
      'posteo.de',
      'proton.me',
      'superhuman.com',
      'tuta.com',
      'web.de',
      'zoho.com',
    ],
  },
];

/** Whether the host is a banking, health or mail host. Case and a trailing dot are ignored. */
export function isRefusedHost(name: string): boolean {
  const host = name.trim().toLowerCase().replace(/\.$/, '');
  return refusedHosts.some((refused) => covers(refused, host));
}

function covers(refused: RefusedHosts, host: string): boolean {
  const words = host.split(/[.-]/);
  return (
    refused.topLevel.includes(host.slice(host.lastIndexOf('.') + 1)) ||
    refused.domains.some((domain) => host === domain || host.endsWith(`.${domain}`)) ||
    words.some((word) => refused.words.includes(word)) ||
    words.some((word) => refused.affixes.some((it) => word.startsWith(it) || word.endsWith(it)))
  );
}
