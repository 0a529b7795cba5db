import type { CSSProperties } from 'react';
import { useTheme } from '../theme/theme';
import styles from './Cause.module.css';
import { causeColour, causeName, drawnCause } from './causeLook';

interface CauseFillProps {
  readonly cause: string;
  /** The name of what it was, from which a task has its colour. */
  readonly what: string;
  readonly className?: string | undefined;
  readonly style?: CSSProperties;
}

/** An area in the colour or the hatching of a cause, as the lanes have it. Says nothing by itself. */
export function CauseFill({ cause, what, className, style }: CauseFillProps) {
  const drawn = drawnCause(cause, what);
  const colour = causeColour(drawn.cause, drawn.what, useTheme().name);
  return (
    <span
      aria-hidden
      className={`${styles.fill} ${className ?? ''}`}
      data-cause={drawn.cause}
      style={{ ...style, ...(colour && { backgroundColor: colour }) }}
    />
  );
}

/** A small square in the colour of a cause, before its name; the kind of cause on hover. */
export function CauseSwatch({ cause, what }: Pick<CauseFillProps, 'cause' | 'what'>) {
  return (
    <span title={causeName(cause)}>
      <CauseFill cause={cause} what={what} className={styles.swatch} />
    </span>
  );
}
