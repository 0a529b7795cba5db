/**
 * The text with every character that could change how its surroundings look written out: control characters,
 * line and paragraph separators, bidirectional overrides, and invisible ones. `\x1b[31m` shows as `\x1b[31m`.
 * A task may call itself anything; on the page its name is only ever seen.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x09) return '\\t';
    if (code === 0x0a) return '\\n';
    if (code === 0x0d) return '\\r';
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

// Cc, Cf (zero width, direction, tags), Zl, Zp, and lone surrogates.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A sentence of the server as it is shown: a number stays on one line with its unit, or with what it numbers. */
export function sentenceText(text: string): string {
  return visibleText(text).replace(NUMBER_AND_UNIT, '$1\u00a0$2').replace(NUMBERED, '$1\u00a0');
}

const NUMBER_AND_UNIT = /(\d) ((?:ns|µs|ms|s|%)(?![\w]))/gu;
const NUMBERED = /\b(CPU|nice|rt|prio|thread) (?=[-−]?\d)/gu;
