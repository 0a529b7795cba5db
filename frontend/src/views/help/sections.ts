import { lexer } from 'marked';
import { slugOf } from './slug';

/** A section of a page, by the address that it has there. */
export interface Section {
  readonly slug: string;
  readonly title: string;
  readonly depth: number;
}

/** The sections of a page of Markdown, in order: its own title is none. */
export function sectionsOf(text: string): readonly Section[] {
  return lexer(text).flatMap((token) => {
    if (token.type !== 'heading') return [];
    const { depth, text: title } = token as { readonly depth: number; readonly text: string }; // as the library has it
    return depth === 1 ? [] : [{ slug: slugOf(title), title: title.replaceAll('`', ''), depth }];
  });
}
