import { useMemo } from 'react';
import styles from './Help.module.css';
import { sectionsOf } from './sections';

/** The sections of the page, beside it where there is room. */
export function OnThisPage({ text }: { readonly text: string }) {
  const sections = useMemo(() => sectionsOf(text), [text]);
  if (sections.length < FEW) return null;
  return (
    <nav className={styles.sections} aria-label="On this page">
      <h2>On this page</h2>
      <ul>
        {sections.map(({ slug, title, depth }) => (
          <li key={slug} data-depth={depth}>
            <a href={`#${slug}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Of fewer, one sees where one is. */
const FEW = 3;
