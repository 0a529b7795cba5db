import { autocompletion, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql as sqlLanguage } from '@codemirror/lang-sql';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import type { SqlView } from '../../api/sql';
import styles from './Query.module.css';
import { columnCompletion, keywordCompletion, schemaOf } from './sqlCompletion';

export interface SqlEditorHandle {
  readonly text: () => string;
  /** Replaces everything. */
  readonly setText: (text: string) => void;
  /** Puts a name where the cursor is. */
  readonly insert: (name: string) => void;
}

interface SqlEditorProps {
  readonly ref: Ref<SqlEditorHandle>;
  readonly initialText: string;
  readonly views: readonly SqlView[];
  /** Where the statement is wrong: a character, from 1. */
  readonly faultAt: number | undefined;
  readonly onRun: (text: string) => void;
}

/**
 * The statement, with the names of the views at hand. The editor makes its styles while it runs, which the page's
 * content policy forbids in the page and allows in a shadow tree, as sheets that no text is parsed for.
 */
export function SqlEditor({ ref, initialText, views, faultAt, onRun }: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const run = useRef(onRun);
  const first = useRef(initialText);
  useEffect(() => {
    run.current = onRun;
  });

  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = new EditorView({ root, parent: root, state: stateOf(first.current, run) });
    view.current = editor;
    return () => {
      first.current = editor.state.doc.toString();
      editor.destroy();
      view.current = undefined;
    };
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: language.reconfigure(languageOf(views)) });
  }, [views]);

  useEffect(() => {
    view.current?.dispatch({ effects: setFault.of(faultAt) });
  }, [faultAt]);

  useImperativeHandle(ref, () => ({
    text: () => view.current?.state.doc.toString() ?? first.current,
    setText: (text) => {
      const editor = view.current;
      if (editor === undefined || editor.state.doc.toString() === text) return;
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    },
    insert: (name) => {
      const editor = view.current;
      if (editor === undefined) return;
      editor.dispatch(editor.state.replaceSelection(name));
      editor.focus();
    },
  }));

  // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keeps the page's keys from those who type in here
  return <div ref={host} className={styles.editor} onKeyDown={keepKey} />;
}

/** The page sees this element in the place of the editor inside, and would take what is typed for its own keys. */
function keepKey(event: React.KeyboardEvent): void {
  if (event.key !== 'Escape') event.nativeEvent.stopPropagation();
}

const language = new Compartment();

function languageOf(views: readonly SqlView[]) {
  return [
    sqlLanguage({ dialect: PostgreSQL, schema: schemaOf(views), upperCaseKeywords: true, keywordCompletion }),
    PostgreSQL.language.data.of({ autocomplete: columnCompletion(views) }),
  ];
}

const setFault = StateEffect.define<number | undefined>();

/** A wavy line under the word at the fault, until the statement is changed. */
const fault = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, change) => {
    const at = change.effects.find((effect) => effect.is(setFault));
    if (at === undefined) return change.docChanged ? Decoration.none : marks;
    if (at.value === undefined) return Decoration.none;
    const { doc } = change.state;
    // PostgreSQL counts characters, the editor UTF-16 units.
    const text = doc.toString();
    const from = Math.min(
      Array.from(text)
        .slice(0, at.value - 1)
        .join('').length,
      doc.length,
    );
    const word = /^[\w$]+|^\S/.exec(text.slice(from))?.[0].length ?? 0;
    const start = word === 0 ? Math.max(0, from - 1) : from;
    const end = word === 0 ? doc.length : from + word;
    return start < end
      ? Decoration.set([Decoration.mark({ class: 'fault' }).range(start, end)])
      : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function stateOf(text: string, run: React.RefObject<(text: string) => void>): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      bracketMatching(),
      // Its icons are characters of a font that the page does not bring.
      autocompletion({ icons: false }),
      syntaxHighlighting(LOOK),
      fault,
      THEME,
      language.of(languageOf([])),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': 'SQL statement', 'data-testid': 'sql-editor' }),
      EditorView.domEventHandlers({ beforeinput: replaceSelected, blur: dropCompletion }),
      keymap.of([
        {
          key: 'Mod-Enter',
          run: (editor) => {
            closeCompletion(editor);
            run.current(editor.state.doc.toString());
            return true;
          },
        },
        ...completionKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
    ],
  });
}

/** One that is still being looked for, too: its list would come up over the answer. */
function dropCompletion(_: FocusEvent, editor: EditorView): boolean {
  closeCompletion(editor);
  return false;
}

/**
 * What is typed over a selection goes into the state of the editor at once. A browser would give its own new text the
 * look of what was there, as a style attribute, which the page's content policy refuses.
 */
function replaceSelected(event: InputEvent, editor: EditorView): boolean {
  if (event.inputType !== 'insertText' || event.data === null || editor.composing) return false;
  if (editor.state.selection.main.empty) return false;
  editor.dispatch(editor.state.replaceSelection(event.data), {
    userEvent: 'input.type',
    scrollIntoView: true,
  });
  event.preventDefault();
  return true;
}

const LOOK = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--link)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--quiet)' },
]);

const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', fontSize: 'var(--size-small)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  // Any ground would lie over the left edge of the outline.
  '.cm-gutters': { background: 'none', color: 'var(--quiet)', border: '0' },
  '.cm-matchingBracket': { background: 'var(--share)' },
  '&.cm-focused .cm-selectionBackground, ::selection': { background: 'var(--share)' },
  '.cm-tooltip': { background: 'var(--raised)', border: '1px solid var(--edge)', color: 'var(--text)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--chosen)', color: 'var(--text)' },
  '.fault': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
});
