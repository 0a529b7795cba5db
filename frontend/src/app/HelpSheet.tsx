import { Dialog } from '../components/dialog/Dialog';
import { keyNames } from '../components/keys/keyNames';
import { ViewLink } from '../components/ViewLink';
import { paths } from '../viewState/paths';
import { useKeyScopes, type KeyScope } from '../components/keys/keys';
import styles from './HelpSheet.module.css';

/** The keys of the page that is open, listed by where they come from. */
export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const scopes = mergedByTitle(useKeyScopes()());
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className={styles.scopes}>
        {scopes.map((scope) => (
          <section key={scope.title}>
            <h3 className={styles.title}>{scope.title}</h3>
            <dl className={styles.keys}>
              {scope.bindings.map((binding) => (
                <div key={binding.does} className={styles.key}>
                  <dt>
                    {keyNames(binding.keys).map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{binding.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={styles.pages}>
        Documentation:{' '}
        {PAGES.map(([page, title], at) => (
          <span key={page}>
            {at === 0 ? '' : ' · '}
            <ViewLink to={paths.help(page)} onClick={onClose}>
              {title}
            </ViewLink>
          </span>
        ))}
        {' · '}
        <ViewLink to={paths.server()} onClick={onClose}>
          this server
        </ViewLink>
      </p>
    </Dialog>
  );
}

const PAGES = [
  ['recording', 'how to record'],
  ['latencies', 'what each number means'],
  ['why', 'why a case took so long'],
  ['filter', 'the search box'],
  ['sql', 'SQL'],
  ['api', 'REST'],
] as const;

/** A page may hand out its keys in several lots; they are read as one, without the actions that have no key. */
function mergedByTitle(scopes: readonly KeyScope[]): readonly KeyScope[] {
  const titles = [...new Set(scopes.map(({ title }) => title))];
  return titles
    .map((title) => ({
      title,
      bindings: scopes
        .filter((scope) => scope.title === title)
        .flatMap(({ bindings }) => bindings)
        .filter(({ keys }) => keys.length > 0),
    }))
    .filter(({ bindings }) => bindings.length > 0);
}
