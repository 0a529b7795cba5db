import { useEffect, useState } from 'react';

const SETTLE_MS = 150;

/** What the server is asked for of what is typed into a palette: a word of it, and the same once typing pauses. */
export function useServerWord(query: string): { readonly word: string; readonly settled: string } {
  const word = longestWord(query);
  return { word, settled: useSettled(word) };
}

/** The server looks for one text, while the palette takes words in any order. */
function longestWord(query: string): string {
  const words = query.split(/\s+/);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}
