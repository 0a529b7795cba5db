import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RawSearch } from '../viewState/viewSpec';

interface ViewLinkProps {
  /** One of `paths`. */
  readonly to: string;
  /** What the target's spec wrote. */
  readonly search?: RawSearch;
  /** A section of the target. */
  readonly hash?: string;
  readonly className?: string | undefined;
  readonly title?: string;
  /** -1 where something else leads to it: the rows of a list are one stop of Tab. */
  readonly tabIndex?: 0 | -1;
  /** The page that is open belongs to the target without being it. */
  readonly isAround?: boolean;
  /** Called when the link is followed. */
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

// A tab is the open one whatever the state of its page.
const HERE = { exact: true, includeSearch: false };

/** A link to another page of the application, without loading the application again. */
export function ViewLink({
  to,
  search,
  hash,
  className,
  title,
  tabIndex,
  isAround,
  onClick,
  children,
}: ViewLinkProps) {
  return (
    <Link
      to={to}
      search={(search ?? {}) as never} // routes come from a table, so the router cannot know their search types
      {...(hash !== undefined && { hash })}
      className={className}
      activeOptions={HERE}
      title={title}
      tabIndex={tabIndex}
      {...(isAround === true && { 'aria-current': true })}
      {...(onClick && { onClick })}
    >
      {children}
    </Link>
  );
}
