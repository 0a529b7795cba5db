import { Fragment } from 'react';
import { visibleText } from '../lib/visibleText';

/** The name of a function or of a task as text that breaks behind underscores first, and so is read in whole words. */
export function SymbolName({ name }: { readonly name: string }) {
  return visibleText(name)
    .split(WORD_END)
    .map((piece, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- pieces of one text, made anew with it
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {piece}
      </Fragment>
    ));
}

const WORD_END = /(?<=[^_\s]_)(?=[^_])/;
