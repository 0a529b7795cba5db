import type { ReactNode } from 'react';
import { groupDigits } from '../../lib/ns';
import { mayPass, type Problem } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { Button } from '../button/Button';
import styles from './ProblemNote.module.css';

interface ProblemNoteProps {
  readonly problem: Problem;
  /** The problem is all that the page has to say, so its title is the page's heading. */
  readonly isPage?: boolean;
  /** Sends the request again; offered only where that can help. */
  readonly onRetry?: () => void;
  /** The other ways out. */
  readonly children?: ReactNode;
}

/** A problem as a colleague would report it: what happened, where, and what can be done now. */
export function ProblemNote({ problem, isPage, onRetry, children }: ProblemNoteProps) {
  const Title = isPage === true ? 'h1' : 'h2';
  const { code, title, detail, remedy, line, byteOffset, excerpt, requestId } = problem;
  const canRetry = onRetry !== undefined && mayPass(problem);
  return (
    <section className={styles.note} role="alert">
      <Title className={styles.title}>{visibleText(title)}</Title>
      {detail !== undefined ? <p>{visibleText(detail)}</p> : null}
      {remedy !== undefined ? <p>{visibleText(remedy)}</p> : null}
      {excerpt !== undefined && excerpt !== '' ? (
        <pre className={styles.excerpt}>{visibleText(excerpt)}</pre>
      ) : null}
      <p className={styles.place}>
        {[
          line !== undefined ? `line ${groupDigits(line)}` : undefined,
          byteOffset !== undefined ? `byte ${groupDigits(byteOffset)}` : undefined,
        ]
          .filter(Boolean)
          .map((place) => `${place} · `)
          .join('')}
        <code>{visibleText(code)}</code>
        {requestId !== undefined ? <> · request {visibleText(requestId)}</> : null}
      </p>
      {canRetry || children !== undefined ? (
        <div className={styles.ways}>
          {canRetry ? <Button onClick={onRetry}>Retry</Button> : null}
          {children}
        </div>
      ) : null}
    </section>
  );
}
