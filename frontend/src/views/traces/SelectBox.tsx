import styles from './SelectBox.module.css';

interface SelectBoxProps {
  readonly label: string;
  readonly isChecked: boolean;
  /** Some of what it stands for is selected. */
  readonly isPartly?: boolean;
  /** `isStretch` where Shift was held: all rows up to this one. */
  readonly onToggle: (isStretch: boolean) => void;
}

/** A box that selects a row. The whole cell takes the click. */
export function SelectBox({ label, isChecked, isPartly = false, onToggle }: SelectBoxProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Shift and a click would select text
    <label className={styles.cell} onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = isPartly;
        }}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={(event) => {
          const { nativeEvent } = event;
          onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
        }}
      />
    </label>
  );
}
