// @ts-check
// Reads the address of the page, and packs entries for the address that opens the session elsewhere.

/** A longer link is refused: services that pass links on may cut it. */
const MAX_LINK_BYTES = 30_000;

/**
 * The text of an entry. A list marks a text that a slider has entered; with a second word, the text sets the leaves to
 * where stopped work had brought them.
 * @typedef {string | string[]} LinkedEntry
 */

/**
 * Decompresses base64 text.
 * @param {string} signs
 * @param {CompressionFormat} format
 */
export const unpack = (signs, format) => {
  const packed = Uint8Array.from(atob(signs), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)));
};

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
  if (words.length > 2 * MAX_LINK_BYTES) throw new Error("it is too long");
  if (!words.startsWith("~")) return [decodeURIComponent(words)];
  const signs = words.slice(1).replaceAll("-", "+").replaceAll("_", "/");
  const entries = JSON.parse(await unpack(signs, "deflate-raw").text());
  if (!Array.isArray(entries)) throw new Error("it has no entries");
  return entries.map((entry) => (Array.isArray(entry) ? entry.map(String) : `${entry}`));
};

/**
 * Reads the part of the address after `#`: the action and its argument, whether positions count from 0, and the numbers of
 * the answers to show.
 * @param {string} hash
 */
export const linkIn = (hash) => {
  const [, action = "", argument = "", from, shown] = /^#(run|play|lesson)=(.*?)(&from=0)?(?:&show=([\d,]*))?$/s.exec(hash) ?? [];
  return { action, argument, isFromZero: from !== undefined, shown: shown?.split(",") };
};

/** The text of an entry. @param {LinkedEntry} entry */
export const textOf = (entry) => (Array.isArray(entry) ? entry[0] ?? "" : entry);
