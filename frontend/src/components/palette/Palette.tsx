import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { groupDigits } from '../../lib/ns';
import { Dialog } from '../dialog/Dialog';
import { keyNames } from '../keys/keyNames';
import { pressedKey } from '../keys/keys';
import { nextRowIndex } from '../table/rowKeys';
import styles from './Palette.module.css';
import { rankItems, type PaletteItem, type RankedItem } from './rankItems';

interface PaletteProps {
  readonly title: string;
  /** What is searched, for those who hear it, and in few words inside the field. */
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly PaletteItem[];
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** More items may come. */
  readonly isSearching: boolean;
  /** The key that opens it, which closes it, too. */
  readonly openKey?: string;
  readonly onClose: () => void;
}

/**
 * A field and the list of what it finds: the arrow keys walk through it, Enter or a click does what is chosen. The
 * focus stays in the field, so that typing can continue.
 */
export function Palette(props: PaletteProps) {
  const { title, label, placeholder, items, query, onQuery, isSearching, openKey, onClose } = props;
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [walkedTo, setWalkedTo] = useState(0);
  const { shown, total } = rankItems(items, query);
  const current = Math.min(walkedTo, shown.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;

  const take = (ranked: RankedItem | undefined) => {
    if (ranked === undefined) return;
    // The page has the focus again before the action runs: it may be to give it to something else.
    flushSync(onClose);
    ranked.item.run();
  };
  const walk = (index: number) => {
    setWalkedTo(index);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextRowIndex(event.key, current, shown.length);
    if (event.key === 'Enter') take(shown[current]);
    else if (pressedKey(event.nativeEvent) === openKey) onClose();
    else if (next !== undefined && !MOVES_IN_TEXT.has(event.key)) walk(next);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} isBare onClose={onClose}>
      <input
        className={styles.field}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown.length > 0 ? optionId(current) : undefined}
        aria-autocomplete="list"
        aria-label={label}
        placeholder={placeholder}
        data-takes-focus
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={query}
        onChange={({ target }) => {
          setWalkedTo(0);
          onQuery(target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} className={styles.list} role="listbox" aria-label="Matches">
        {shown.map((ranked, index) => (
          <Option
            key={ranked.item.id}
            id={optionId(index)}
            ranked={ranked}
            isCurrent={index === current}
            onPoint={() => setWalkedTo(index)}
            onTake={() => take(ranked)}
          />
        ))}
      </div>
      <p className={styles.foot} role="status">
        {footText(shown.length, total, isSearching)}
      </p>
    </Dialog>
  );
}

/** They move the cursor in the field, and not in the list. */
const MOVES_IN_TEXT = new Set(['Home', 'End']);

interface OptionProps {
  readonly id: string;
  readonly ranked: RankedItem;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onTake: () => void;
}

/** From so many characters on, a title is a sentence. */
const LONG = 48;

function Option({ id, ranked: { item, pieces }, isCurrent, onPoint, onTake }: OptionProps) {
  const title = pieces.map(({ text }) => text).join('');
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys arrive in the field, which has the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      className={styles.option}
      data-long={title.length > LONG}
      aria-selected={isCurrent}
      onPointerMove={isCurrent ? undefined : onPoint}
      onClick={onTake}
    >
      <span className={styles.kind}>{item.kind}</span>
      <span className={styles.title} title={title}>
        {pieces.map(({ text, isMatch }, at) =>
          // oxlint-disable-next-line react/no-array-index-key -- pieces of one text, made anew with it
          isMatch ? <mark key={at}>{text}</mark> : text,
        )}
      </span>
      <span className={styles.note} title={item.note}>
        {item.note}
      </span>
      {keyNames(item.keys ?? []).map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </div>
  );
}

function footText(shown: number, total: number, isSearching: boolean): string {
  const more =
    total > shown
      ? `The first ${groupDigits(shown)} of ${groupDigits(total)}. Type to narrow them down.`
      : '';
  if (isSearching) return `${more} Searching …`;
  if (total === 0) return 'Nothing matches.';
  return more === '' ? `${groupDigits(total)} ${total === 1 ? 'match' : 'matches'}` : more;
}
