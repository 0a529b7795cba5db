import type { ThemeName } from '../../lib/colour';

const PICTURES = import.meta.glob<string>('../../../../docs/pictures/{,light/}*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The address of a picture of the documentation, by its path there, in the theme of the page where there is one. */
export function pictureUrl(path: string, theme: ThemeName): string | undefined {
  const light = PICTURES[`../../../../docs/${path.replace(/^pictures\//, 'pictures/light/')}`];
  return (theme === 'light' ? light : undefined) ?? PICTURES[`../../../../docs/${path}`];
}
