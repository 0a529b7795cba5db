import type { CaseAdvice, RecordNext } from '../../api/chain';
import { Command } from '../../components/Command';
import { Fold } from '../../components/panel/Fold';
import { visibleText } from '../../lib/visibleText';
import styles from './Advice.module.css';
import { referenceUrl } from './referenceUrl';

interface AdviceProps {
  readonly advice: readonly CaseAdvice[];
  readonly recordNext: RecordNext | null;
}

/** What usually helps where its condition was recorded, and what to record where the chain leaves something open. */
export function Advice({ advice, recordNext }: AdviceProps) {
  return (
    <>
      {advice.length > 0 && (
        <Fold title="What usually helps" note={advice.map(({ title }) => visibleText(title)).join(' · ')}>
          <ul className={styles.entries} aria-label="Advice">
            {advice.map((entry) => (
              <Entry key={entry.name} {...entry} />
            ))}
          </ul>
        </Fold>
      )}
      {recordNext && (
        <Fold title="Record next" note="what would tell more">
          <div className={styles.next}>
            <p>{visibleText(recordNext.why)}</p>
            <Command text={recordNext.command} />
          </div>
        </Fold>
      )}
    </>
  );
}

function Entry({ title, meaning, helps, check, reference }: CaseAdvice) {
  const url = referenceUrl(reference);
  return (
    <li className={styles.entry}>
      <h3>{visibleText(title)}</h3>
      <dl>
        <dt>means</dt>
        <dd>
          <Words text={meaning} />
        </dd>
        <dt>helps</dt>
        <dd>
          <Words text={helps} />
        </dd>
        <dt>check</dt>
        <dd>
          <Words text={check} />
        </dd>
        <dt>see</dt>
        <dd>
          {url === undefined ? (
            <code>{visibleText(reference)}</code>
          ) : (
            <a href={url} rel="noreferrer">
              {visibleText(reference)}
            </a>
          )}
        </dd>
      </dl>
    </li>
  );
}

/** Advice has names of files, options and events between backticks. */
function Words({ text }: { readonly text: string }) {
  let end = 0;
  return visibleText(text)
    .split('`')
    .map((part, place) => {
      end += part.length + 1;
      return place % 2 === 1 ? <code key={end}>{part}</code> : part;
    });
}
