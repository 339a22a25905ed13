/**
 * Phrases in texts about software agents, models and the work with them. Other kinds of agents
 * (user agents, ssh agents, monitoring agents) share the word "agent", so the word alone does not
 * count.
 */

/** Words that indicate another kind of agent when they precede "agent". */
const otherAgents = String.raw`(?<!\b(?:[Uu]ser|[Pp]roxy|[Mm]onitoring|[Ss][Ss][Hh]|[Gg][Pp][Gg]|HTTPS?|[Hh]ttps?|[Bb]uild|[Bb]ackup|[Dd]atadog|[Ss]upport|[Ss]ales|[Tt]ravel|[Rr]eal[- ][Ee]state|[Ii]nsurance|[Nn]ode\.js|APM|PM2|[Rr]emote|[Jj]enkins|[Tt]ransfer|[Pp]olicy)[- ])`;

const agentWords = String.raw`[Aa]gents?`;

export const agentPhrases: readonly string[] = [
  String.raw`\b(?:LLM|[Cc]oding|CLI|[Kk]nowledge|[Dd]ev(?:Ops)?|[Tt]ool-(?:calling|using)|[Cc]omputer-use|[Ll]ocal-first|[Mm]ulti-model|[Hh]eadless|[Pp]ersistent|[Dd]eep|[Ss]tateful|[Ss]elf-(?:improving|evolving)|[Gg]eneral-purpose|[Oo]pen-source|ADK|ACP|A2A|Hermes|CrewAI|LlamaIndex|Haystack|LiveKit|Letta|elizaOS|DSPy) [Aa]gents?\b`,
  String.raw`\b${otherAgents}${agentWords}(?:'s|’s|s')? (?:sessions?|loops?|kernels?|mesh(?:es)?|harness(?:es)?|manifests?|subagents?|applications|definitions?|swarms?|tools?|backends?|tracing|traces|trajector\w+|guardrails?|payments?|intents?|instructions?|commerce|tool[- ]use)\b`,
  String.raw`\b(?:[Ss]ub-?agents|[Aa]gent swarms?|AGENTS\.md|CLAUDE\.md|SKILL\.md|llms\.txt generator)\b`,
  String.raw`\b[Tt]ool[- ]call(?:s|ing)?\b`,
  String.raw`\b(?:[Mm]emory|[Cc]ontext|[Ss]kills|[Gg]uardrails?|[Ss]andbox(?:es)?|[Dd]atabases?|[Oo]bservability|[Gg]overnance|[Ii]dentity|[Tt]ools|[Cc]ontrol plane|[Ww]orkspace|[Hh]arness|[Rr]untime) (?:layer |engine |server |store |system |platform )?for (?:your |any |local |persistent |Python |LLM )?agents\b`,
  String.raw`\b(?:(?:AI|LLM)[- ](?:memory|context|skills|sessions?|coding|native|first)|${otherAgents}[Aa]gent[- ](?:memory|context|skills|sessions?|native|first))\b`,
  String.raw`\b(?:Vibe|vibe)[- ](?:cod\w+|engineering)\b|\b[Pp]rompt[- ](?:injections?|caching|caches?|versioning|guardrails?|compression|compressor)\b|\b[Ss]ystem prompts?\b`,
  String.raw`\b${otherAgents}${agentWords} (?:CLI|UI|[Rr]unners?|[Bb]enchmarks?|capabilities|deployments|[Ee]xecution|reliability|[Qq]uality)\b|\b[Aa]gent-(?:generated|written|authored)\b`,
  String.raw`\b(?:[Bb]uild(?:ing)?|[Dd]eploy(?:ing)?|[Mm]anag(?:es?|ing)|[Oo]rchestrat(?:es?|ing)|[Rr]un(?:s|ning)?) (?:and \w+ |parallel |multiple |your |local |self-hosted |tool-enabled |(?!SSH|GPG|[A-Z]\w*SSH|Jenkins|Datadog|Azure)[A-Z]\w+ )+agents\b`,
  String.raw`\b(?:shell|interface|services?|engine|API|layer|platform|workspaces?) for agents\b|\b[Pp]rogramming agent\b`,
  String.raw`\b(?:[Ss]ecurity|[Ss]ales|[Dd]ata|[Rr]esearch|[Ww]riting|[Ll]egal|[Mm]arketing|[Ff]inance|[Ee]mail) [Cc]opilot\b`,
  String.raw`\b(?:[Mm]anag|[Vv]ersion|[Oo]rganiz|[Oo]ptimi[sz]|[Ee]valuat)\w+(?: and \w+)? (?:your |LLM |AI )?prompts\b|\b[Pp]rompt (?:orchestration|management|registry|evaluation|regression)\b|\b[Gg]it for prompts\b`,
  String.raw`\b(?:token|context)[- ](?:usage|budgets?|savings?|efficient|waste|windows?|hygiene|compression|compressor|optimi[sz]\w+)\b(?=.*\b(?:AI|LLMs?|agents?|models?|Claude|prompts?)\b)`,
];

/** Models themselves, and how they are run or fed. */
export const modelPhrases: readonly string[] = [
  String.raw`\b[Ll]arge [Ll]anguage [Mm]odels?\b|\b(?:with|for|using|by|of|to|from|via) (?:[\w-]+ )?[Ll]anguage [Mm]odels\b`,
  String.raw`\b(?:AI|LLM|[Mm]odel|MLX|GGUF|GPU) inference\b|\b(?:[Ll]ocal|[Oo]n-device) (?:LLM |model )?inference\b|(?<!\b(?:[Tt]ype|[Ss]tatistical|[Bb]ayesian|[Cc]ausal|[Rr]ule|[Ll]ogic|[Ss]emantic|[Ff]uzzy)[- ])\b[Ii]nference (?:servers?|endpoints?)\b`,
  String.raw`\b(?:for|[Ll]ocal(?:-first)?|[Hh]ybrid|[Gg]raph|[Cc]ode) RAG\b|\bRAG(?:[- ]powered|[- ]based| CLI| assistant| toolkit| apps?\b)|\b[Rr]etrieval[- ][Aa]ugmented\b`,
  String.raw`\b(?:[Vv]ector|[Tt]ext) embeddings\b|\b[Ee]mbedding models?\b`,
  String.raw`\b(?:[Ll]ocal|[Oo]pen-weight|[Ff]rontier|[Oo]pen-source|[Cc]loud) (?:AI |LLM )?models\b(?=.*\b(?:chat|prompts?|agents?|LLMs?|AI|inference)\b)|\b(?:chat|prompts?|agents?|LLMs?)\b(?=.*\b(?:local|frontier) models\b)`,
  String.raw`\b(?:OpenAI|Anthropic)[- ](?:compatible|format|style)\b|\b(?:OpenRouter|Groq|LM Studio|LlamaIndex|CrewAI|AutoGen|Pydantic ?AI|Mistral AI|Kimi (?:Code|CLI)|Grok (?:CLI|Build|API|AI|models?)|Claude[- ]Code|Cline|Roo Code|Cursor (?:IDE|rules|AI)|Antigravity|Hugging ?Face models?|opencode)\b|\b(?:by|with|via|using) gpt\b|\bAI[- ](?:agents?|assisted|consumption|DevOps|generated)\b(?<!\b(?:and|AND|&|or|with) AI[- ]agents?)`,
  String.raw`\bGen ?AI\b|\b\w+GPT is\b|\b(?:chatgpt|openai(?![- ]gym)|llms?|mcp[- ](?:servers?|tools?|clients?))\b|^\W*(?:DeepSeek|Deepseek|Ollama|OpenRouter|LM Studio)\b|\bclaude[- ]code\b|\bLlama[ -]?[234]\b|\bNano Banana\b|\b(?:Gemini|Mistral|Qwen\d?)[- ](?:TTS|STT|OCR|Vision)\b|\bCursor (?:[Aa]gent|prompts)\b|\bintegrat(?:es|ing) AI\b`,
  String.raw`\b[Nn]atural[- ]language (?:in)?to (?:\w+ )?(?:commands?|SQL|code|bash|shell|quer(?:y|ies))\b`,
  String.raw`\b[Ll]anguage [Mm]odels\b`,
  String.raw`\b(?:[Gg]enerates?|[Cc]reates?|[Ee]dits?) (?:images?|videos?|music|speech) (?:from|with) (?:text|prompts?)\b|\b[Tt]ext[- ]to[- ](?:[Ii]mage|[Vv]ideo|[Mm]usic|SQL)\b`,
  String.raw`\b[Tt]ranscrib(?:e|es|ing) (?:and \w+ |your |any |local |\w+ )?(?:audio|calls|meetings?|podcasts?|speech|videos?|voice|files|recordings?|notes?)\b|\b[Tt]ranscription (?:tool|app|server|API|CLI|service|engine)\b|\b(?:[Ll]ocal(?:-first)?|[Oo]ffline|[Oo]n-device) (?:audio )?transcription\b|\b(?:[Vv]oice|[Aa]udio|[Ss]peech|[Mm]eeting)[- ](?:note )?[Tt]ranscri(?:ber|bing)\b`,
];

/** The same phrases in other languages. */
export const inOtherLanguages: readonly string[] = [
  String.raw`人工智能|大模型|챗봇|[Тт]ранскриб|文字起こし|语音转文字|(?<=\p{Script=Han} ?)[Aa]gent|[Aa]gent (?=\p{Script=Han})|大语言模型|大語言模型|智能体|智能體|智能助手|智能问答|人工知能|生成AI|エージェント|인공지능|에이전트|[Ии]скусственн\p{L}+ интеллект|[Нн]ейросет|(?<!\p{L})ИИ(?!\p{L})|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])AI|AI ?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])`,
  String.raw`\b(?:[Ii]ntelig[eê]ncia [Aa]rtificial|[Ii]ntelligence [Aa]rtificielle|[Ii]ntelligenza [Aa]rtificiale|[Kk]ünstliche[rn]? Intelligenz)\b|\b[Yy]apay [Zz]ek[aâ]|\b[Ss]ztuczn\p{L}+ [Ii]nteligencj|\b[Kk]ecerdasan [Bb]uatan\b|\b[Tt]rí tuệ nhân tạo\b|\b[Kk]unstmatige [Ii]ntelligentie\b|\b[Ee]ngenharia de [Pp]rompts?\b|\b(?:con|com|avec|per|par|de|d'|l'|l’|d’) ?IA\b|\bIA (?:para|pour|per|générative|generativa|local)\b|\b(?:[Aa]ssistente?|[Aa]sistente|[Aa]ssistant|[Aa]gente?s?) (?:de )?IA\b|\b(?:mit|per|durch) KI\b|\bKI-(?:\p{Lu}|gest)`,
];
