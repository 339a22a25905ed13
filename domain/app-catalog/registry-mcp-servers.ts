import type { KnownMcpServer } from './entry.ts';
import { server } from './known-mcp-server.ts';

const REGISTRY = 'https://github.com/docker/mcp-registry/tree/main/servers/';

type Found = Pick<KnownMcpServer, 'packages' | 'can'>;

const inRegistry = (
  entry: string,
  id: string,
  name: string,
  vendor: string,
  found: Found,
): KnownMcpServer => server(id, name, vendor, { source: `${REGISTRY}${entry}`, ...found });

/** Servers in Docker's MCP registry, by image and by the package of the same project. */
export const registryMcpServers: readonly KnownMcpServer[] = [
  inRegistry('aws-api', 'mcp-aws-api', 'AWS API', 'Amazon', {
    packages: ['mcp/aws-api-mcp-server', 'awslabs.aws-api-mcp-server'],
    can: ['run-commands'],
  }),
  inRegistry('aws-documentation', 'mcp-aws-documentation', 'AWS Documentation', 'Amazon', {
    packages: ['mcp/aws-documentation', 'awslabs.aws-documentation-mcp-server'],
  }),
  inRegistry('azure', 'mcp-azure', 'Azure', 'Microsoft', {
    packages: ['mcr.microsoft.com/azure-sdk/azure-mcp', '@azure/mcp'],
    can: ['run-commands'],
  }),
  inRegistry('brave', 'mcp-brave', 'Brave Search', 'Brave', {
    packages: [
      'mcp/brave-search',
      '@brave/brave-search-mcp-server',
      '@modelcontextprotocol/server-brave-search',
    ],
  }),
  inRegistry('browserbase', 'mcp-browserbase', 'Browserbase', 'Browserbase', {
    packages: ['mcp/browserbase', '@browserbasehq/mcp-server-browserbase'],
  }),
  inRegistry('chroma', 'mcp-chroma', 'Chroma', 'Chroma', {
    packages: ['mcp/chroma', 'chroma-mcp'],
  }),
  inRegistry('circleci', 'mcp-circleci', 'CircleCI', 'CircleCI', {
    packages: ['mcp/circleci', '@circleci/mcp-server-circleci'],
  }),
  inRegistry('clickhouse', 'mcp-clickhouse', 'ClickHouse', 'ClickHouse', {
    packages: ['mcp/clickhouse', 'mcp-clickhouse'],
  }),
  inRegistry('couchbase', 'mcp-couchbase', 'Couchbase', 'Couchbase', {
    packages: ['mcp/couchbase'],
  }),
  inRegistry('dockerhub', 'mcp-dockerhub', 'Docker Hub', 'Docker', {
    packages: ['mcp/dockerhub'],
  }),
  inRegistry('duckduckgo', 'mcp-duckduckgo', 'DuckDuckGo', 'Nick Clyde', {
    packages: ['mcp/duckduckgo', 'duckduckgo-mcp-server'],
  }),
  inRegistry('dynatrace-mcp-server', 'mcp-dynatrace', 'Dynatrace', 'Dynatrace', {
    packages: ['mcp/dynatrace-mcp-server', '@dynatrace-oss/dynatrace-mcp-server'],
  }),
  inRegistry('e2b', 'mcp-e2b', 'E2B', 'E2B', {
    packages: ['mcp/e2b'],
    can: ['run-commands'],
  }),
  inRegistry('elasticsearch', 'mcp-elasticsearch', 'Elasticsearch', 'Elastic', {
    packages: ['mcp/elasticsearch', '@elastic/mcp-server-elasticsearch'],
  }),
  inRegistry('elevenlabs', 'mcp-elevenlabs', 'ElevenLabs', 'ElevenLabs', {
    packages: ['mcp/elevenlabs', 'elevenlabs-mcp'],
  }),
  inRegistry('exa', 'mcp-exa', 'Exa', 'Exa', {
    packages: ['mcp/exa', 'exa-mcp-server'],
  }),
  inRegistry('firecrawl', 'mcp-firecrawl', 'Firecrawl', 'Firecrawl', {
    packages: ['mcp/firecrawl', 'firecrawl-mcp'],
  }),
  inRegistry('gitlab', 'mcp-gitlab', 'GitLab', 'GitLab', {
    packages: ['mcp/gitlab', '@modelcontextprotocol/server-gitlab'],
  }),
  inRegistry('grafana', 'mcp-grafana', 'Grafana', 'Grafana Labs', {
    packages: ['mcp/grafana'],
  }),
  inRegistry('heroku', 'mcp-heroku', 'Heroku', 'Salesforce', {
    packages: ['mcp/heroku', '@heroku/mcp-server'],
  }),
  inRegistry('hostinger-mcp-server', 'mcp-hostinger', 'Hostinger', 'Hostinger', {
    packages: ['mcp/api-mcp-server'],
  }),
  inRegistry('kagisearch', 'mcp-kagisearch', 'Kagi Search', 'Kagi', {
    packages: ['mcp/kagisearch', 'kagimcp'],
  }),
  inRegistry('kong', 'mcp-kong', 'Kong Konnect', 'Kong', {
    packages: ['mcp/kong'],
  }),
  inRegistry('kubectl-mcp-server', 'mcp-kubectl', 'Kubectl', 'rohitg00', {
    packages: ['mcp/kubectl-mcp-server'],
    can: ['run-commands'],
  }),
  inRegistry('mapbox', 'mcp-mapbox', 'Mapbox', 'Mapbox', {
    packages: ['mcp/mapbox', '@mapbox/mcp-server'],
  }),
  inRegistry('markitdown', 'mcp-markitdown', 'MarkItDown', 'Microsoft', {
    packages: ['mcp/markitdown', 'markitdown-mcp'],
  }),
  inRegistry('metabase', 'mcp-metabase', 'Metabase', 'easecloudio', {
    packages: ['mcp/metabase'],
  }),
  inRegistry('mongodb', 'mcp-mongodb', 'MongoDB', 'MongoDB', {
    packages: ['mcp/mongodb', 'mongodb-mcp-server'],
  }),
  inRegistry('n8n', 'mcp-n8n', 'n8n', 'czlonkowski', {
    packages: ['mcp/n8n', 'n8n-mcp'],
  }),
  inRegistry('neo4j-cypher', 'mcp-neo4j-cypher', 'Neo4j Cypher', 'Neo4j', {
    packages: ['mcp/neo4j-cypher', 'mcp-neo4j-cypher'],
  }),
  inRegistry('node-code-sandbox', 'mcp-node-code-sandbox', 'Node.js Sandbox', 'alfonsograziano', {
    packages: ['mcp/node-code-sandbox'],
    can: ['run-commands'],
  }),
  inRegistry('obsidian', 'mcp-obsidian', 'Obsidian', 'MarkusPfundstein', {
    packages: ['mcp/obsidian', 'mcp-obsidian'],
    can: ['write-files'],
  }),
  inRegistry('openapi', 'mcp-openapi', 'OpenAPI Toolkit', 'lepo.co', {
    packages: ['mcp/openapi'],
  }),
  inRegistry('perplexity-ask', 'mcp-perplexity-ask', 'Perplexity', 'Perplexity', {
    packages: ['mcp/perplexity-ask', 'server-perplexity-ask'],
  }),
  inRegistry('pinecone', 'mcp-pinecone', 'Pinecone Assistant', 'Pinecone', {
    packages: ['mcp/pinecone'],
  }),
  inRegistry('postman', 'mcp-postman', 'Postman', 'Postman', {
    packages: ['mcp/postman', '@postman/postman-mcp-server'],
  }),
  inRegistry('prometheus', 'mcp-prometheus', 'Prometheus', 'pab1it0', {
    packages: ['ghcr.io/pab1it0/prometheus-mcp-server'],
  }),
  inRegistry('pulumi', 'mcp-pulumi', 'Pulumi', 'Pulumi', {
    packages: ['mcp/pulumi', '@pulumi/mcp-server'],
    can: ['run-commands'],
  }),
  inRegistry('razorpay', 'mcp-razorpay', 'Razorpay', 'Razorpay', {
    packages: ['mcp/razorpay'],
  }),
  inRegistry('redis', 'mcp-redis', 'Redis', 'Redis', {
    packages: ['mcp/redis', 'redis-mcp-server'],
  }),
  inRegistry('render', 'mcp-render', 'Render', 'Render', {
    packages: ['mcp/render'],
  }),
  inRegistry('singlestore', 'mcp-singlestore', 'SingleStore', 'SingleStore', {
    packages: ['mcp/singlestore'],
  }),
  inRegistry('sonarqube', 'mcp-sonarqube', 'SonarQube', 'Sonar', {
    packages: ['mcp/sonarqube'],
  }),
  inRegistry('supadata', 'mcp-supadata', 'Supadata', 'Supadata', {
    packages: ['ghcr.io/supadata-ai/mcp'],
  }),
  inRegistry('tavily', 'mcp-tavily', 'Tavily', 'Tavily', {
    packages: ['mcp/tavily', 'tavily-mcp'],
  }),
  inRegistry('terraform', 'mcp-terraform', 'Terraform', 'HashiCorp', {
    packages: ['hashicorp/terraform-mcp-server'],
  }),
  inRegistry('testkube', 'mcp-testkube', 'Testkube', 'Kubeshop', {
    packages: ['mcp/testkube'],
    can: ['run-commands'],
  }),
  inRegistry('time', 'mcp-time', 'Time', 'Model Context Protocol', {
    packages: ['mcp/time', 'mcp-server-time'],
  }),
  inRegistry('wikipedia-mcp', 'mcp-wikipedia', 'Wikipedia', 'Rudra Ravi', {
    packages: ['mcp/wikipedia-mcp', 'wikipedia-mcp'],
  }),
  inRegistry('youtube_transcript', 'mcp-youtube-transcript', 'YouTube Transcripts', 'jkawamoto', {
    packages: ['mcp/youtube-transcript'],
  }),
  inRegistry('zen', 'mcp-zen', 'Zen', 'BeehiveInnovations', {
    packages: ['mcp/zen'],
    can: ['run-commands'],
  }),
  inRegistry('mcp-code-interpreter', 'mcp-code-interpreter', 'Python Interpreter', 'akuadane', {
    packages: ['mcp/mcp-code-interpreter'],
    can: ['run-commands'],
  }),
  inRegistry('jetbrains', 'mcp-jetbrains', 'JetBrains', 'JetBrains', {
    packages: ['mcp/jetbrains', '@jetbrains/mcp-proxy'],
    can: ['write-files'],
  }),
  inRegistry('apify-mcp-server', 'mcp-apify', 'Apify', 'Apify', {
    packages: ['mcp/apify-mcp-server', '@apify/actors-mcp-server'],
  }),
  inRegistry('airtable-mcp-server', 'mcp-airtable', 'Airtable', 'domdomegg', {
    packages: ['mcp/airtable-mcp-server', 'airtable-mcp-server'],
  }),
  inRegistry('apollo-mcp-server', 'mcp-apollo', 'Apollo', 'Apollo GraphQL', {
    packages: ['ghcr.io/apollographql/apollo-mcp-server'],
  }),
  inRegistry('arxiv-mcp-server', 'mcp-arxiv', 'arXiv', 'Joe Blazick', {
    packages: ['mcp/arxiv-mcp-server', 'arxiv-mcp-server'],
  }),
  inRegistry('ast-grep', 'mcp-ast-grep', 'ast-grep', 'dgageot', {
    packages: ['mcp/ast-grep'],
  }),
  inRegistry('astra-db', 'mcp-astra-db', 'Astra DB', 'DataStax', {
    packages: ['mcp/astra-db', '@datastax/astra-db-mcp'],
  }),
  inRegistry('cockroachdb', 'mcp-cockroachdb', 'CockroachDB', 'amineelkouhen', {
    packages: ['mcp/cockroachdb'],
  }),
  inRegistry('google-maps', 'mcp-google-maps', 'Google Maps', 'Model Context Protocol', {
    packages: ['mcp/google-maps', '@modelcontextprotocol/server-google-maps'],
  }),
  inRegistry('hyperbrowser', 'mcp-hyperbrowser', 'Hyperbrowser', 'Hyperbrowser', {
    packages: ['mcp/hyperbrowser', 'hyperbrowser-mcp'],
  }),
  inRegistry('inspektor-gadget', 'mcp-inspektor-gadget', 'Inspektor Gadget', 'Inspektor Gadget', {
    packages: ['mcp/inspektor-gadget'],
    can: ['run-commands'],
  }),
  inRegistry('linkedin-mcp-server', 'mcp-linkedin', 'LinkedIn', 'stickerdaniel', {
    packages: ['stickerdaniel/linkedin-mcp-server'],
  }),
  inRegistry('openbnb-airbnb', 'mcp-openbnb-airbnb', 'Airbnb Search', 'OpenBnB', {
    packages: ['mcp/openbnb-airbnb', '@openbnb/mcp-server-airbnb'],
  }),
  inRegistry('opik', 'mcp-opik', 'Opik', 'Comet', {
    packages: ['mcp/opik'],
  }),
  inRegistry('oracle', 'mcp-oracle', 'Oracle Database', 'samscarrow', {
    packages: ['mcp/oracle'],
  }),
  inRegistry('oxylabs', 'mcp-oxylabs', 'Oxylabs', 'Oxylabs', {
    packages: ['mcp/oxylabs', 'oxylabs-mcp'],
  }),
  inRegistry('scrapegraph', 'mcp-scrapegraph', 'ScrapeGraph', 'ScrapeGraphAI', {
    packages: ['mcp/scrapegraph'],
  }),
  inRegistry('smartbear', 'mcp-smartbear', 'SmartBear', 'SmartBear', {
    packages: ['mcp/smartbear', '@smartbear/mcp'],
  }),
  inRegistry('stackhawk', 'mcp-stackhawk', 'StackHawk', 'StackHawk', {
    packages: ['mcp/stackhawk'],
  }),
  inRegistry('rust-mcp-filesystem', 'mcp-rust-filesystem', 'Rust Filesystem', 'rust-mcp-stack', {
    packages: ['mcp/rust-mcp-filesystem'],
    can: ['write-files'],
  }),
  inRegistry(
    'playwright-mcp-server',
    'mcp-executeautomation-playwright',
    'ExecuteAutomation Playwright',
    'ExecuteAutomation',
    {
      packages: ['mcp/mcp-playwright', '@executeautomation/playwright-mcp-server'],
    },
  ),
  inRegistry('mcp-discord', 'mcp-discord', 'Discord', 'slimslenderslacks', {
    packages: ['mcp/mcp-discord'],
  }),
  inRegistry('mcp-reddit', 'mcp-reddit', 'Reddit', 'KrishnaRandad2023', {
    packages: ['mcp/reddit-mcp'],
  }),
];
