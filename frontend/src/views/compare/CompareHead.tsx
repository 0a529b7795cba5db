import type { ComparedVariant, Comparison, QuantumShelves } from '../../api/compare';
import { countText } from '../../lib/ns';
import { sentenceText, visibleText } from '../../lib/visibleText';
import styles from './Compare.module.css';

interface CompareHeadProps {
  /** Which of the samples the page keeps to, where not to all. */
  readonly keptTo: string | undefined;
  readonly answer: Comparison | undefined;
  /** Of counts of work, where they have been found. */
  readonly shelves?: QuantumShelves | undefined;
}

/** The sentence for each variant but the first, and what else differs. Its room is taken before it is there. */
export function CompareHead({ keptTo, answer, shelves }: CompareHeadProps) {
  return (
    <header className={styles.head} aria-busy={answer === undefined}>
      {shelves ? <ShelfSentences {...shelves} /> : <Sentences answer={answer} />}
      {keptTo === undefined ? null : <p className={styles.quiet}>{keptTo}</p>}
      {answer && answer.guard.length > 0 ? (
        <ul className={styles.guard} aria-label="What else differs">
          {answer.guard.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      ) : null}
      {answer && answer.notes.length > 0 ? (
        <ul className={styles.notes} aria-label="Notes">
          {answer.notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      ) : null}
    </header>
  );
}

function Sentences({ answer }: { readonly answer: Comparison | undefined }) {
  if (answer === undefined) return <h1 className={styles.sentence}>Comparing…</h1>;
  const [first, ...others] = answer.variants;
  if (first && others.length === 0) return <h1 className={styles.sentence}>{aloneText(first)}</h1>;
  if (others.length < 2) return <OneSentence text={answer.sentence} />;
  return (
    <>
      <h1 className={styles.sentence}>{`${answer.variants.length} variants`}</h1>
      <dl className={styles.sentences}>
        {others.map(({ name }, at) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            <dd>{sentenceText(answer.sentences[at] ?? '')}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** What changed is the headline, and what made it, where that is known, is below it. */
function OneSentence({ text }: { readonly text: string }) {
  const [, what = text, causes] = /^(.*?\.) (\p{Lu}.*)$/u.exec(text) ?? [];
  return (
    <>
      <h1 className={styles.sentence}>{sentenceText(what)}</h1>
      {causes === undefined ? null : <p className={styles.causes}>{sentenceText(causes)}</p>}
    </>
  );
}

/** Of counts the shelves say more than any quantile. */
function ShelfSentences({ variants }: QuantumShelves) {
  return (
    <>
      <h1 className={styles.sentence}>What takes work from a quantum</h1>
      <dl className={styles.sentences}>
        {variants.map(({ name, summary }) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            <dd>{sentenceText(summary)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** One variant is compared with nothing. */
function aloneText({ name, samples, traces }: ComparedVariant): string {
  return `${visibleText(name)}: ${countText(samples, 'sample')} of ${countText(traces, 'trace')}`;
}
