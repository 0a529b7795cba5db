import { useAnalysisTitles } from '../../api/catalog';
import type { Trace } from '../../api/types';
import { Command } from '../../components/Command';
import { recordCommand } from '../../lib/recording';
import { visibleText } from '../../lib/visibleText';
import styles from './MissingPanel.module.css';
import { Panel } from '../../components/panel/Panel';

interface MissingPanelProps {
  /** By analysis: the events that it needs and that are not in the trace. */
  readonly missing: Trace['missing'];
}

/** What this trace cannot show because it was not recorded, and the command that records it. */
export function MissingPanel({ missing }: MissingPanelProps) {
  const titles = useAnalysisTitles();
  const entries = Object.entries(missing).filter(([, events]) => events.length > 0);
  if (entries.length === 0) return null;
  return (
    <Panel title="Not recorded" note="what this trace lacks, and what to record next time">
      <div className={styles.missing}>
        <dl>
          {entries.map(([analysis, events]) => (
            <div key={analysis} className={styles.row}>
              <dt>{visibleText(titles.get(analysis) ?? analysis)}</dt>
              <dd>
                {events.map((event) => (
                  <code key={event}>{visibleText(event)}</code>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <Command text={recordCommand(entries.flatMap(([, events]) => events))} />
      </div>
    </Panel>
  );
}
