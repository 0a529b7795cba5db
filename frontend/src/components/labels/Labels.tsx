import { visibleText } from '../../lib/visibleText';
import styles from './Labels.module.css';

interface LabelsProps {
  readonly labels: Readonly<Record<string, string>>;
  /** Called with `name:value` of the label that was pressed. */
  readonly onChoose: (label: string) => void;
}

/** The labels of a trace as `name=value`; pressing one shows all traces that have it. */
export function Labels({ labels, onChoose }: LabelsProps) {
  return (
    <span className={styles.labels}>
      {Object.entries(labels).map(([name, value]) => (
        <button
          key={name}
          type="button"
          className={styles.label}
          title="Show all traces with this label"
          onClick={() => onChoose(`${name}:${value}`)}
        >
          <span className={styles.name}>{visibleText(name)}=</span>
          {visibleText(value)}
        </button>
      ))}
    </span>
  );
}
