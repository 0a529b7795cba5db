/** Hands `blob` to the browser's download under `name`. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download starts after this turn of the event loop; a URL revoked now would be gone by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
