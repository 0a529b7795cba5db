import './fonts.css';

/** What `--sans` and `--mono` are where a style sheet cannot be read: on a canvas. */
export const SANS = "Inter, system-ui, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";
export const MONO = "'JetBrains Mono', ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Weights that the page uses; a canvas does not ask for a font that it draws with. */
const FACES = ['400 13px Inter', '600 13px Inter', "400 12px 'JetBrains Mono'"] as const;

/** A page in the wrong font is better than none. */
const PATIENCE_MS = 1_000;

/**
 * Resolves when the page's fonts can be drawn with: text that changes its font moves what is below it, and a canvas
 * stays as it was drawn.
 */
export async function fontsLoaded(): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const loading = Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
  await Promise.race([loading, patience]);
}
