import { Button } from '../../components/button/Button';
import { Command } from '../../components/Command';
import { WithExample } from '../../components/docs/WithExample';
import { RECIPES } from '../../lib/recording';
import styles from './EmptyCatalog.module.css';

/** What to do on a server without traces. */
export function EmptyCatalog() {
  return (
    <WithExample
      picture="pictures/case.png"
      text="A case: its sentence, its stages on a ruler above what ran, and why it took so long, link by link"
      caption="An example: why a thread of cyclictest woke late"
    >
      <h2>No traces yet</h2>
      <p>
        Drop a recording anywhere on this page to see a timeline per CPU, its events, and call trees if
        functions were traced. To make a recording, run one of these as root on the machine to be examined.
      </p>
      <ul className={styles.recipes}>
        {RECIPES.map((recipe) => (
          <li key={recipe.title}>
            <h3>{recipe.title}</h3>
            <p className={styles.answers}>{recipe.answers}</p>
            <Command text={recipe.commands} />
          </li>
        ))}
      </ul>
      <p className={styles.answers}>
        From a script: <code>curl --data-binary @spike.dat &apos;{uploadAddress()}&apos;</code>
      </p>
    </WithExample>
  );
}

/** What to do when a search finds nothing. */
export function NothingFound({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <section className={styles.empty}>
      <h2>No trace matches</h2>
      <p>
        The search covers names, file names, labels, kernels, tracers and the sentences of worst cases; every
        word must match one of them.
      </p>
      <div>
        <Button onClick={onShowAll}>Show all traces</Button>
      </div>
    </section>
  );
}

function uploadAddress(): string {
  return `${window.location.origin}/api/v1/traces?filename=spike.dat`;
}
