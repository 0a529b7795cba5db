import type { ReactNode } from 'react';
import { paths } from '../viewState/paths';
import styles from './HelpLink.module.css';
import { ViewLink } from './ViewLink';

interface HelpLinkProps {
  /** The name of the page of documentation, and a section of it. */
  readonly page: string;
  readonly section: string;
  /** What is explained there. */
  readonly title: string;
  readonly children: ReactNode;
}

/** Leads from a term to what the documentation says of it. */
export function HelpLink({ page, section, title, children }: HelpLinkProps) {
  return (
    <ViewLink to={paths.help(page)} hash={section} title={title} className={styles.help}>
      {children}
    </ViewLink>
  );
}

/** Leads from a kind of latency to its definition. */
export function KindLink({ kind, children }: { readonly kind: string; readonly children: ReactNode }) {
  return (
    <HelpLink page="latencies" section={`row-${kind}`} title={`How ${kind} is measured, and its flags`}>
      {children}
    </HelpLink>
  );
}
