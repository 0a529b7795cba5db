import { Dialog } from '../components/dialog/Dialog';
import { keyNames } from '../components/keys/keyNames';
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
    </Dialog>
  );
}

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
