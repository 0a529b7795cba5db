import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RawSearch } from '../viewState/viewSpec';

interface ViewLinkProps {
  /** One of `paths`. */
  readonly to: string;
  /** What the target's spec wrote. */
  readonly search?: RawSearch;
  readonly className?: string | undefined;
  /** Marks the link to the page that is open. */
  readonly current?: boolean;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A link to another page of the application, without loading the application again. */
export function ViewLink({ to, search, className, current, title, children }: ViewLinkProps) {
  return (
    <Link
      to={to}
      search={(search ?? {}) as never} // routes come from a table, so the router cannot know their search types
      className={className}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={current === true ? 'page' : undefined}
      title={title}
    >
      {children}
    </Link>
  );
}
