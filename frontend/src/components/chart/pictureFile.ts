import { saveBlob } from '../../lib/download';

export type PictureFormat = 'png' | 'svg';

/** Saves a picture as it is, or painted with so many pixels for each of its own. */
export async function saveSvg(
  svg: string,
  name: string,
  format: PictureFormat,
  pixelRatio = 2,
): Promise<void> {
  const blob = new Blob([svg], { type: 'image/svg+xml' });
  const file = format === 'svg' ? blob : await paintPng(blob, pixelRatio);
  if (file) saveBlob(file, `${name}.${format}`);
}

async function paintPng(svg: Blob, pixelRatio: number): Promise<Blob | null> {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * pixelRatio);
    canvas.height = Math.round(image.height * pixelRatio);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}
