import type { Random } from './random.ts';

/** A key as another public collection of rules describes it. */
export interface ScannerKey {
  provider: string;
  /** The name of the rule, in the notation of `KeyFormat.source`. */
  source: string;
  /** Literal text, and classes with a number: `pa-[A-Za-z0-9_-]{43}`. */
  description: string;
}

const of = (provider: string, source: string, description: string): ScannerKey => ({
  provider,
  source,
  description,
});

export const keyOf = ({ description }: ScannerKey, random: Random): string =>
  description.replaceAll(/\[([^\]]+)\]\{(\d+)\}/g, (_, characters: string, length: string) =>
    random.characters(characters, Number(length)),
  );

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}';

/** Formats that `provider-keys.ts` does not contain. Every key is generated, so none exists. */
export const scannerKeys: readonly ScannerKey[] = [
  of('Adobe', 'titus adobe', 'p8e-[A-Za-z0-9-]{32}'),
  of('Aikido', 'betterleaks aikido', 'AIK_CI_[A-Za-z0-9]{24}'),
  of('Asana', 'titus asana', '1/[0-9]{16}:[a-f0-9]{32}'),
  of('Asana', 'trufflehog asanapersonalaccesstoken', '2/[0-9]{16}/[0-9]{16}:[a-f0-9]{32}'),
  of('Axiom', 'axiomhq/axiom-go', `xaat-${UUID}`),
  of('Azure AI', 'SEC101/206', '[A-Za-z0-9]{52}JQQJ99BC[A-Za-z0-9]{6}AAAAAACOG[A-Za-z0-9]{9}'),
  of('Azure API Management', 'SEC101/182', '[A-Za-z0-9+/]{76}APIM[A-Za-z0-9+/]{5}A=='),
  of('Azure Batch', 'SEC101/163', '[A-Za-z0-9+/]{76}+ABa[A-Za-z0-9+/]{5}g=='),
  of('Azure Container Registry', 'SEC101/176', '[A-Za-z0-9+/]{42}+ACRB[A-Za-z0-9]{5}'),
  of('Azure Cosmos DB', 'SEC101/160', '[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{5}Q=='),
  of('Azure DevOps', 'SEC101/201', '[A-Za-z0-9]{52}JQQJ99BC[A-Za-z0-9]{16}AZDO[A-Za-z0-9]{4}'),
  of('Azure DevOps', 'learn.microsoft.com', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}'),
  of('Azure Event Hubs', 'SEC101/172', '[A-Za-z0-9+/]{33}+AEhC[A-Za-z0-9+/]{5}='),
  of('Azure Functions', 'SEC101/158', '[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}w=='),
  of('Azure IoT', 'SEC101/178', '[A-Za-z0-9+/]{33}AIoTB[A-Za-z0-9+/]{5}='),
  of('Azure Redis', 'SEC101/154', '[A-Za-z0-9+/]{33}AzCaP[A-Za-z0-9+/]{5}='),
  of('Azure Search', 'SEC101/167', '[A-Za-z0-9]{42}AzSeD[A-Za-z0-9]{5}'),
  of('Azure Service Bus', 'SEC101/171', '[A-Za-z0-9+/]{33}+ASbA[A-Za-z0-9+/]{5}='),
  of('Azure Storage', 'SEC101/152', '[A-Za-z0-9+/]{76}+ASt[A-Za-z0-9+/]{5}A=='),
  of('Bitbucket', 'trufflehog atlassian/v2', 'ATCTT3xFfG[A-Za-z0-9+/_-]{170}=[A-F0-9]{8}'),
  of('Braintree', 'secfiles', 'access_token$production$[0-9a-z]{16}$[0-9a-f]{32}'),
  of('Brave Search', 'betterleaks brave', 'BSA[A-Za-z0-9_-]{28}'),
  of('Browserbase', 'kingfisher browserbase', 'bb_live_[A-Za-z0-9_-]{27}'),
  of('Buildkite', 'titus buildkite', 'bkua_[a-z0-9]{40}'),
  of('Canva', 'betterleaks canva', 'cnvca[A-Za-z0-9_-]{51}'),
  of('Cerebras', 'titus cerebras', 'csk-[a-z0-9]{48}'),
  of('CircleCI', 'trufflehog circleci/v2', 'CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}'),
  of('ClickUp', 'trufflehog clickuppersonaltoken', 'pk_[0-9]{8}_[0-9A-Z]{32}'),
  of('Cloudflare', 'trufflehog cloudflareapitoken/v2', 'cfut_[A-Za-z0-9]{40}[a-f0-9]{8}'),
  of('CockroachDB', 'betterleaks cockroachlabs', 'CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}'),
  of('CodeRabbit', 'titus coderabbit', 'cr-[a-f0-9]{58}'),
  of('Contentful', 'trufflehog contentfulpersonalaccesstoken', 'CFPAT-[A-Za-z0-9_-]{43}'),
  of('Coze', 'titus coze', 'pat_[A-Za-z0-9]{64}'),
  of('Cursor', 'titus cursor', 'key_[0-9a-f]{64}'),
  of('Datadog', 'DataDog/datadog-agent', 'ddapp_[A-Za-z0-9]{34}'),
  of('Deno Deploy', 'trufflehog deno', 'ddw_[A-Za-z0-9]{36}'),
  of('Dependency-Track', 'titus dependency_track', 'odt_[A-Za-z0-9]{32}'),
  of('Devin', 'betterleaks devin', 'cog_[a-z2-7]{52}'),
  of('Docker Swarm', 'betterleaks docker', 'SWMTKN-1-[a-z0-9]{50}-[a-z0-9]{25}'),
  of('E2B', 'kingfisher e2b', 'e2b_[a-f0-9]{40}'),
  of('ElevenLabs', 'titus elevenlabs', 'sk_[a-f0-9]{48}'),
  of('Friendli', 'titus friendli', 'flp_[A-Za-z0-9]{46}'),
  of('GitLab', 'betterleaks gitlab', 'glpat-[A-Za-z0-9_-]{27}.[0-9a-z]{2}.[0-9a-z]{9}'),
  of('Honeycomb', 'docs.honeycomb.io', 'hcaik_[a-z0-9]{58}'),
  of('HubSpot', 'titus hubspot', `pat-na1-${UUID}`),
  of('Klaviyo', 'trufflehog klaviyo', 'pk_[0-9a-f]{34}'),
  of('LaunchDarkly', 'trufflehog launchdarkly', `sdk-${UUID}`),
  of('LlamaCloud', 'trufflehog issue 4702', 'llx-[A-Za-z0-9]{48}'),
  of('MailerSend', 'betterleaks mailersend', 'mlsn.[a-f0-9]{64}'),
  of('Mandrill', 'titus mandrill', 'md-[A-Za-z0-9_-]{22}'),
  of('Mapbox', 'titus mapbox', 'sk.eyJ[A-Za-z0-9]{75}.[A-Za-z0-9_-]{22}'),
  of('Mollie', 'mollie/mollie-api-php', 'live_[A-Za-z0-9]{30}'),
  of('MongoDB Atlas', 'titus mongodb', 'mdb_sa_sk_[0-9A-Za-z_-]{6}[0-9A-Za-z]{34}'),
  of('Neon', 'betterleaks neon', 'napi_[a-z0-9]{64}'),
  of('Netlify', 'trufflehog netlify/v2', 'nfp_[A-Za-z0-9]{36}'),
  of('New Relic', 'trufflehog newreliclicensekey', '[0-9a-f]{32}FFFFNRAL'),
  of('New Relic', 'titus newrelic', 'eu01xx[a-f0-9]{30}NRAL'),
  of('ngrok', 'trufflehog ngrok', '2[A-Za-z0-9]{26}_5[A-Za-z0-9]{20}'),
  of('OneSignal', 'betterleaks onesignal', 'os_v2_app_[a-z2-7]{103}'),
  of('Paddle', 'betterleaks paddle', 'pdl_live_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}'),
  of('PagerDuty', 'PagerDuty/developer-docs', `pdus+_[0-9A-Z]{8}_${UUID}`),
  of('Pinecone', 'trufflehog pinecone', 'pcsk_[A-Za-z0-9]{5}_[A-Za-z0-9]{63}'),
  of('PostHog', 'titus posthog', 'phx_[A-Za-z0-9]{47}'),
  of('Razorpay', 'titus razorpay', 'rzp_live_[A-Za-z0-9]{14}'),
  of('Render', 'betterleaks render', 'rnd_[A-Za-z0-9]{28}'),
  of('Resend', 'titus resend', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}'),
  of('RunPod', 'betterleaks runpod', 'rpa_[A-Z0-9]{40}[A-Za-z0-9]{6}'),
  of('Runway', 'titus runway', 'key_[a-f0-9]{128}'),
  of('Salesforce', 'trufflehog salesforce', '00D[A-Za-z0-9]{12}![A-Za-z0-9_.]{96}'),
  of('Slack, client', 'betterleaks slack', 'xoxc-[0-9]{12}-[0-9]{12}-[0-9]{12}-[a-f0-9]{64}'),
  of('Slack, cookie', 'betterleaks slack', 'xoxd-[A-Za-z0-9+/]{120}=='),
  of('SonarQube Cloud', 'trufflehog sonarcloud/v2', 'sqco_[A-Za-z0-9]{59}'),
  of('Supabase', 'betterleaks supabase', 'sb_secret_[A-Za-z0-9_-]{31}'),
  of('Tencent Cloud', 'cloud.tencent.com', 'AKID[A-Za-z0-9]{32}'),
  of('Tines', 'trufflehog tineswebhook', 'acme.tines.com/webhook/[a-z0-9]{32}/[a-z0-9]{32}'),
  of('Together AI', 'titus togetherai', 'tgp_v1_[A-Za-z0-9_-]{43}'),
  of('Trello', 'healthchecks/healthchecks', 'ATTA[a-f0-9]{64}[A-F0-9]{8}'),
  of('Twitter', 'betterleaks twitter', `${'A'.repeat(22)}[A-Za-z0-9%]{90}`),
  of('Vercel', 'kingfisher vercel', 'vcp_[A-Za-z0-9_-]{50}[A-Za-z0-9]{6}'),
  of('Voiceflow', 'trufflehog voiceflow', 'VF.DM.[a-fA-F0-9]{24}.[A-Za-z0-9]{16}'),
  of('Voyage AI', 'titus voyageai', 'pa-[A-Za-z0-9_-]{43}'),
  of('Weights & Biases', 'betterleaks weightsandbiases', 'wandb_v1_[A-Za-z0-9_]{77}'),
  of('Yandex Cloud', 'betterleaks yandex', 'YC[A-Za-z0-9_-]{38}'),
  of('Yandex Cloud, token', 'betterleaks yandex', 't1.[A-Za-z0-9_-]{200}.[A-Za-z0-9_-]{86}'),
  of('Zapier', 'titus zapier', 'hooks.zapier.com/hooks/catch/[0-9]{7}/[a-z0-9]{7}'),
  of('Zhipu', 'titus zhipu', '[a-f0-9]{32}.[A-Za-z0-9]{16}'),
  of('Zoho', 'trufflehog zohocrm', '1000.[a-f0-9]{32}.[a-f0-9]{32}'),
  of('Zuplo', 'titus zuplo', 'zpka_[a-z0-9]{32}_[0-9a-f]{8}'),
  of('Dropbox', 'noseyparker dropbox', 'sl.u.[A-Za-z0-9_-]{400}'),
  of('Mercado Pago', 'public code', 'APP_USR-[0-9]{16}-[0-9]{6}-[a-f0-9]{32}-[0-9]{9}'),
  of('OneSignal', 'public code', 'os_v2_app_[a-z2-7]{103}'),
  of('Pydantic Logfire', 'public code', 'pylf_v1_eu_[A-Za-z0-9]{43}'),
];
