/** Ports of the products that the tests start, beside the default one that a developer may be using. */
export const ports = {
  shared: Number(process.env['JITTERSCOPE_E2E_PORT'] ?? 8125),
  restart: Number(process.env['JITTERSCOPE_E2E_PORT'] ?? 8125) + 1,
  reload: Number(process.env['JITTERSCOPE_E2E_PORT'] ?? 8125) + 2,
} as const;
