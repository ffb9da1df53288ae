// Links: packs the entries of a session for an address that opens it elsewhere, and reads such an address.

/** A longer link is refused: services that pass links on may cut it. */
const MAX_LINK_BYTES = 30_000;

/**
 * The origin of an entry: a line, a complete text, a slider or a button of a walk, or stopped work, which `:set` brings to where it had come.
 * @typedef {"line" | "whole" | "slider" | "stopped"} Origin
 */
/**
 * An entry in a link: its text; in a list `[text]` if a slider has entered it, and `[text, "stopped"]` after stopped work.
 * @typedef {string | string[]} LinkedEntry
 */

/** An entry for a link. @param {string} text @param {Origin} from @returns {LinkedEntry} */
export const linkedEntry = (text, from) => {
  if (from === "slider") return [text];
  return from === "stopped" ? [text, "stopped"] : text;
};

/** The text of an entry of a link. @param {LinkedEntry} entry */
export const textOf = (entry) => (Array.isArray(entry) ? entry[0] ?? "" : entry);

/** The origin of an entry of a link. @param {LinkedEntry} entry @returns {Origin} */
export const originOf = (entry) => {
  if (!Array.isArray(entry)) return "whole";
  return entry.length > 1 ? "stopped" : "slider";
};

/** The bytes of base64 text, as a stream for what decompresses them. @param {string} signs */
export const streamOf = (signs) => new Blob([Uint8Array.from(atob(signs), (sign) => sign.charCodeAt(0))]).stream();

/**
 * Compresses entries, or the name and the text of a lesson, for a link. Returns nothing if they are too long.
 * @param {LinkedEntry[]} entries
 */
export const pack = async (entries) => {
  const stream = new Blob([JSON.stringify(entries)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length > MAX_LINK_BYTES) return undefined;
  const signs = btoa(String.fromCharCode(...bytes));
  return `~${signs.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
};

/**
 * The entries of a link, which has either compressed entries or a single entry as plain text.
 * @param {string} words
 * @returns {Promise<LinkedEntry[]>}
 */
export const linkedEntries = async (words) => {
  // Base64 makes bytes a third longer, and plain text is short. Twice the limit is more than either needs.
  if (words.length > 2 * MAX_LINK_BYTES) throw new Error("it is too long");
  if (!words.startsWith("~")) return [decodeURIComponent(words)];
  const signs = words.slice(1).replaceAll("-", "+").replaceAll("_", "/");
  const stream = streamOf(signs).pipeThrough(new DecompressionStream("deflate-raw"));
  const entries = JSON.parse(await new Response(stream).text());
  if (!Array.isArray(entries)) throw new Error("it has no entries");
  return entries.map((entry) => (Array.isArray(entry) ? entry.map(String) : `${entry}`));
};

/**
 * Reads the part of the address after `#`: the action and its argument, and the numbers of the answers to show.
 * @param {string} hash
 */
export const linkIn = (hash) => {
  const [, action = "", argument = "", shown] = /^#(run|play|lesson)=(.*?)(?:&show=([\d,]*))?$/s.exec(hash) ?? [];
  return { action, argument, shown: shown?.split(",") };
};
