// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Markdown } from './Markdown';

vi.mock('../../components/ViewLink', () => ({
  ViewLink: ({ to, hash = '', children }: { to: string; hash?: string; children: React.ReactNode }) => (
    <a href={`${to}#${hash}`}>{children}</a>
  ),
}));
vi.mock('../../components/Command', () => ({ Command: ({ text }: { text: string }) => <pre>{text}</pre> }));

function check(markdown: string, html: string): void {
  expect(render(<Markdown text={markdown} />).container.innerHTML).toBe(html);
}

it('runs no HTML', () => {
  const attack = '<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b';
  const { container } = render(<Markdown text={attack} />);
  expect(container.querySelector('script, img')).toBeNull();
  expect(container.textContent).toContain('<img src=x onerror=alert(1)>');
});

it('follows no address that is no page', () => {
  check('[a](javascript:alert(1)) [b](../secret) [c](adr/0001.md)', '<p>a b c</p>');
  check('[a](data:text/html,x)', '<p>a</p>');
});

it('leads to pages, sections and the web', () => {
  check('[a](why.md#rules)', '<p><a href="/help/why#rules">a</a></p>');
  check('[a](#rules)', '<p><a href="#rules">a</a></p>');
  check(
    '[a](https://x.example)',
    '<p><a href="https://x.example" target="_blank" rel="noreferrer">a</a></p>',
  );
});

it('names headings and rows of tables', () => {
  check('## A case: why?', '<h2 id="a-case-why" tabindex="-1">A case: why?</h2>');
  expect(
    render(<Markdown text={'| a |\n|---|\n| `wakeup` |'} />).container.querySelector('#row-wakeup'),
  ).not.toBeNull();
});
