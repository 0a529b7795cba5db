import type { ReactNode, Ref } from 'react';
import styles from './Button.module.css';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick?: () => void;
  readonly look?: 'plain' | 'bare' | 'danger';
  /** What the button does, where it shows only a symbol. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly submits?: boolean;
  readonly pressed?: boolean;
  /** Has the focus when it appears, as the safe answer in a dialog. */
  readonly takesFocus?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The one kind of button: hairline edge, `bare` inside rows and bars, `danger` for what cannot be undone. */
export function Button({
  children,
  onClick,
  look = 'plain',
  label,
  disabled,
  submits,
  pressed,
  takesFocus,
  ref,
}: ButtonProps) {
  const className = look === 'plain' ? styles.button : `${styles.button} ${styles[look]}`;
  return (
    <button
      ref={ref}
      type={submits === true ? 'submit' : 'button'}
      className={className}
      disabled={disabled}
      aria-label={label}
      aria-pressed={pressed}
      data-takes-focus={takesFocus}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
