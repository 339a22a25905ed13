/** Words of a text about partition tables, of which GPT is a kind. */
const partitioning = /\b(?:MBR|\w?fdisk|s?gdisk|g?parted|partition(?:s|ed|ing|er)?|GPT disks?)\b/i;
const partitionTable = /\bGPT\b(?!-?[345o])/g;

/** Illustrator's format, named beside another one or as that of files. */
const drawing =
  /\bAI(?= (?:to|into) (?:PDF|SVG|EPS|PSD|PNG|JPE?G|DXF|CDR)\b| (?:files|format)\b)|(?<=\b(?:PDF|SVG|EPS|PSD|PNG|JPE?G|DXF|CDR) (?:to|into) )AI\b/g;

/** Microchip numbers its converters and controllers: MCP 3008. */
const chip = /\bMCP(?=[ -]\d)/g;

/** Deploys containers. */
const ofAws = /\bAWS Copilot\b/g;

/** Simulations are made of agents too. */
const simulated =
  /\b[Mm]ulti-?[Aa]gent(?= (?:[\w-]+ )?(?:[Mm]odell?ing|[Ss]imulat\w+|[Rr]einforcement|[Pp]ath)\b)/g;

const famousClaude = /\bClaude(?= (?:Monet|Debussy|Shannon|Bernard)\b)/gi;

/** After these words a surname follows a first name; what follows the product is written out here. */
const authoredByClaude =
  /(?<=\b(?:[Bb]y|[Ff]rom|[Oo]f) )Claude(?= (?!(?:AI|API|Agents?|Code|Cowork|Desktop|Haiku|Models?|Opus|Pro|Skills?|Sonnet)\b)[A-Z])/g;

/** The text with words left out that have the form of AI products and mean something else there. */
export function withoutLookalikes(text: string): string {
  const plain = partitioning.test(text) ? text.replaceAll(partitionTable, '…') : text;
  return [drawing, chip, ofAws, simulated, famousClaude, authoredByClaude].reduce(
    (rest, lookalike) => rest.replaceAll(lookalike, '…'),
    plain,
  );
}
