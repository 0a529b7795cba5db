import { TIE } from '../../lib/label';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { ViewLink } from '../ViewLink';
import styles from './Labels.module.css';

interface LabelsProps {
  readonly labels: Readonly<Record<string, string>>;
  /** Called with `name:value` of the label that was pressed. */
  readonly onChoose: (label: string) => void;
}

/** The labels of a trace as `name=value`; pressing one shows all traces that have it. A tie leads to the other file. */
export function Labels({ labels: { [TIE]: tied, ...labels }, onChoose }: LabelsProps) {
  return (
    <span className={styles.labels}>
      {tied === undefined ? null : (
        <ViewLink to={paths.trace(tied)} className={styles.label} title="The trace of the same run">
          linked to its trace
        </ViewLink>
      )}
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
