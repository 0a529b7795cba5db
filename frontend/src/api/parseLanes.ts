/** Shorter answers are parsed at once: that takes a few milliseconds. */
const SHORT = 250_000;
/** A frame has 16 ms, and the page draws in the rest. */
const STEP_MS = 6;

const OPEN = '"lanes":[';
const BETWEEN = '},{"id":';
const CLOSE = '}]';

/**
 * The JSON answer `text`. Of many CPUs it has megabytes, and to parse them at once would keep the page from following
 * the pointer: its lanes are parsed one after the other, and what waits comes between them. An answer of any other
 * form is parsed at once. Throws where `signal` says that nobody waits for it any more.
 */
export async function parseLanes(text: string, signal?: AbortSignal): Promise<unknown> {
  const parts = text.length > SHORT ? splitLanes(text) : undefined;
  if (parts === undefined) return JSON.parse(text);
  const lanes: unknown[] = [];
  let began = performance.now();
  for (const part of parts.lanes) {
    if (performance.now() - began > STEP_MS) {
      // oxlint-disable-next-line no-await-in-loop -- to stop between two lanes is the point
      await nextTask();
      signal?.throwIfAborted();
      began = performance.now();
    }
    try {
      lanes.push(JSON.parse(part));
    } catch {
      return JSON.parse(text);
    }
  }
  const rest: unknown = JSON.parse(parts.rest);
  return { ...(rest as object), lanes }; // an object, for it has a key
}

/**
 * The text of each lane, and the answer without them. A quotation mark inside a string is written `\"`, so none of the
 * marks that are looked for can be a part of a name.
 */
function splitLanes(text: string): { readonly lanes: readonly string[]; readonly rest: string } | undefined {
  const open = text.indexOf(OPEN);
  const first = open + OPEN.length;
  if (open < 0 || !text.startsWith('{"id":', first)) return undefined;
  const lanes: string[] = [];
  let from = first;
  for (let next = text.indexOf(BETWEEN, from); next >= 0; next = text.indexOf(BETWEEN, from)) {
    lanes.push(text.slice(from, next + 1));
    from = next + 2;
  }
  const close = text.indexOf(CLOSE, from);
  if (close < 0) return undefined;
  lanes.push(text.slice(from, close + 1));
  return { lanes, rest: text.slice(0, first) + text.slice(close + 1) };
}

/** After what waits, as a timer does, but without its least delay. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
