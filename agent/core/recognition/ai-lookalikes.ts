/** Words of a text on partition tables, where GPT is a partitioning scheme. */
const partitioning = /\b(?:MBR|\w?fdisk|s?gdisk|g?parted|partition(?:s|ed|ing|er)?|GPT disks?)\b/i;
const partitionTable = /\bGPT\b(?!-?[345o])/g;

/** Adobe Illustrator's format, named with another format or as a file format. */
const drawing =
  /\bAI(?= (?:to|into) (?:PDF|SVG|EPS|PSD|PNG|JPE?G|DXF|CDR)\b| (?:files|format)\b)|(?<=\b(?:PDF|SVG|EPS|PSD|PNG|JPE?G|DXF|CDR) (?:to|into) )AI\b/g;

/** Microchip's converters and controllers: MCP 3008. */
const chip = /\bMCP(?=[ -]\d)/g;

/** A tool for deploying containers. */
const ofAws = /\bAWS Copilot\b/g;

/** Agents of simulations. */
const simulated =
  /\b[Mm]ulti-?[Aa]gent(?= (?:[\w-]+ )?(?:[Mm]odell?ing|[Ss]imulat\w+|[Rr]einforcement|[Pp]ath)\b)/g;

const famousClaude = /\bClaude(?= (?:Monet|Debussy|Shannon|Bernard)\b)/gi;

/** The first name Claude after these words. The product's own names are excluded explicitly. */
const authoredByClaude =
  /(?<=\b(?:[Bb]y|[Ff]rom|[Oo]f) )Claude(?= (?!(?:AI|API|Agents?|Code|Cowork|Desktop|Haiku|Models?|Opus|Pro|Skills?|Sonnet)\b)[A-Z])/g;

/** Removes words that look like AI products but mean something else. */
export function withoutLookalikes(text: string): string {
  const plain = partitioning.test(text) ? text.replaceAll(partitionTable, '…') : text;
  return [drawing, chip, ofAws, simulated, famousClaude, authoredByClaude].reduce(
    (rest, lookalike) => rest.replaceAll(lookalike, '…'),
    plain,
  );
}
