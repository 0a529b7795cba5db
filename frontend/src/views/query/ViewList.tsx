import type { SqlView } from '../../api/sql';
import styles from './Query.module.css';

interface ViewListProps {
  readonly views: readonly SqlView[];
  readonly onInsert: (name: string) => void;
}

/** The views with their columns; a click puts a name into the statement. */
export function ViewList({ views, onInsert }: ViewListProps) {
  return (
    <ul className={styles.views}>
      {views.map((view) => (
        <li key={view.name}>
          <details>
            <summary>
              <code>{view.name}</code>
            </summary>
            <ul>
              <li>
                <NameButton name={view.name} what="view" onInsert={onInsert} />
              </li>
              {view.columns.map((column) => (
                <li key={column.name}>
                  <NameButton name={column.name} what={column.type} onInsert={onInsert} />
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  );
}

interface NameButtonProps {
  readonly name: string;
  readonly what: string;
  readonly onInsert: (name: string) => void;
}

function NameButton({ name, what, onInsert }: NameButtonProps) {
  return (
    <button type="button" title={`Insert ${name}`} onClick={() => onInsert(name)}>
      <code>{name}</code> <span>{what}</span>
    </button>
  );
}
