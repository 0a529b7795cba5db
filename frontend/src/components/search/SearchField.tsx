import {
  createContext,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { useKeys } from '../keys/keys';
import styles from './SearchField.module.css';

interface Slot {
  readonly element: HTMLElement | null;
  readonly place: (element: HTMLElement | null) => void;
}

const SlotContext = createContext<Slot>({ element: null, place: () => undefined });

/** Lets a page put its search field into the top bar. */
export function SearchSlotProvider({ children }: { readonly children: ReactNode }) {
  const [element, place] = useState<HTMLElement | null>(null);
  const slot = useMemo(() => ({ element, place }), [element]);
  return <SlotContext value={slot}>{children}</SlotContext>;
}

/** The place in the top bar where the page's search field appears. */
export function SearchSlot() {
  const { place } = useContext(SlotContext);
  return <div ref={place} className={styles.slot} role="search" />;
}

interface SearchFieldProps {
  /** What is searched, for the placeholder and for those who hear it: "Search traces". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whole values that are offered for what is typed. */
  readonly suggestions?: readonly string[];
}

const SETTLE_MS = 150;

/**
 * The page's search field, shown in the top bar. `/` focuses it, Escape empties it and then leaves it. Reports the
 * text once typing pauses, because it goes into the URL and to the server.
 */
export function SearchField({ label, value, onChange, suggestions }: SearchFieldProps) {
  const { element } = useContext(SlotContext);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [typed, setTyped] = useSettled(value, onChange);
  const startTyping = () => {
    input.current?.focus();
    input.current?.select();
  };
  useKeys('Search', [{ keys: ['/'], does: label, run: startTyping }]);
  if (!element) return null;
  return createPortal(
    <>
      <input
        ref={input}
        {...(suggestions && { list: listId })}
        type="search"
        className={styles.input}
        value={typed}
        maxLength={200}
        placeholder={`${label}   /`}
        aria-label={label}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (typed === '') event.currentTarget.blur();
          setTyped('');
        }}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      )}
    </>,
    element,
  );
}

/** Text in a field that follows `value`, and is reported a moment after the last change. */
function useSettled(value: string, onChange: (value: string) => void): [string, (value: string) => void] {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [reported, setReported] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Our own report coming back must not overwrite what has been typed since.
    if (value !== reported) setTyped(value);
  }
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = window.setTimeout(() => {
      setReported(typed);
      report.current(typed);
    }, SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, value]);
  return [typed, setTyped];
}
