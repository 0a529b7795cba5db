import type { ReactNode } from 'react';
import { DocsPicture } from './DocsPicture';
import styles from './WithExample.module.css';

interface WithExampleProps {
  /** As the documentation has it: `pictures/case.png`. */
  readonly picture: string;
  /** What the picture shows, for those who cannot see it. */
  readonly text: string;
  readonly caption: string;
  /** Links that lead on, under the words. */
  readonly ways?: ReactNode;
  /** What the page has to say: a heading, paragraphs, steps. */
  readonly children: ReactNode;
}

/** Words for a page that has nothing to show yet, and beside them a picture of what it will show. */
export function WithExample({ picture, text, caption, ways, children }: WithExampleProps) {
  return (
    <section className={styles.intro}>
      <div className={styles.words}>
        {children}
        {ways ? <p className={styles.ways}>{ways}</p> : null}
      </div>
      <figure className={styles.example}>
        <DocsPicture path={picture} text={text} />
        <figcaption>{caption}</figcaption>
      </figure>
    </section>
  );
}
