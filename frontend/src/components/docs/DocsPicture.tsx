import { useTheme } from '../theme/theme';
import { pictureUrl } from './pictureUrl';

interface DocsPictureProps {
  /** As the documentation has it: `pictures/case.png`. */
  readonly path: string;
  /** What it shows; instead of a picture that does not exist. */
  readonly text: string;
}

/** A picture of the documentation, in the theme of the page. */
export function DocsPicture({ path, text }: DocsPictureProps) {
  const url = pictureUrl(path, useTheme().name);
  return url === undefined ? <>{text}</> : <img src={url} alt={text} loading="lazy" />;
}
