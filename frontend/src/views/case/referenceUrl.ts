const PAGE = /^Documentation\/([\w./-]+)\.rst$/;

/** Where a page of the kernel's documentation is read, `Documentation/filesystems/proc.rst`; nothing for other texts. */
export function referenceUrl(reference: string): string | undefined {
  const [, page] = PAGE.exec(reference) ?? [];
  return page === undefined || page.includes('..') ? undefined : `https://docs.kernel.org/${page}.html`;
}
