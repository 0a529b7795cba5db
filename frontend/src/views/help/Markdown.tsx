import { lexer, type Token, type Tokens } from 'marked';
import { useMemo, type ReactNode } from 'react';
import { Command } from '../../components/Command';
import { DocsPicture } from '../../components/docs/DocsPicture';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import styles from './Help.module.css';
import { isPage } from './pages';
import { slugOf } from './slug';

/** A page of Markdown as elements of the page. HTML inside it is text like any other. */
export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => {
    const found = lexer(text);
    nameRows(found);
    return found;
  }, [text]);
  return <>{blocks(tokens)}</>;
}

function blocks(tokens: readonly Token[]): ReactNode {
  // oxlint-disable-next-line react/no-array-index-key -- a page is made once, and its parts have no state
  return tokens.map((token, at) => <Block key={at} token={token} />);
}

function Block({ token: given }: { readonly token: Token }) {
  const token = given as Tokens.Generic & typeof given; // the union that the library's own types lose
  switch (given.type) {
    case 'heading':
      return <Heading token={given as Tokens.Heading} />;
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'text':
      return <>{inline(token.tokens ?? [token])}</>;
    case 'code':
      return <Command text={String(token['text'])} />;
    case 'list':
      return <List token={given as Tokens.List} />;
    case 'table':
      return <TableOf token={given as Tokens.Table} />;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'space':
      return null;
    default:
      return <p>{given.raw}</p>;
  }
}

function Heading({ token }: { readonly token: Tokens.Heading }) {
  const Title = token.depth === 1 ? 'h1' : token.depth === 2 ? 'h2' : 'h3';
  return (
    <Title id={slugOf(token.text)} tabIndex={-1}>
      {inline(token.tokens)}
    </Title>
  );
}

function List({ token }: { readonly token: Tokens.List }) {
  const Items = token.ordered ? 'ol' : 'ul';
  return (
    <Items>
      {token.items.map((item, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <li key={at}>{blocks(item.tokens)}</li>
      ))}
    </Items>
  );
}

function TableOf({ token }: { readonly token: Tokens.Table }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys, too
    <div className={styles.table} tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- as above
              <th key={at} scope="col">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <tr key={at} id={ROW_IDS.get(row)}>
              {row.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- as above
                <td key={column} data-title={token.header[column]?.text}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ROW_IDS = new WeakMap<readonly Tokens.TableCell[], string>();

/** What a row is about, such as a kind of latency, can be linked to: the first row that names it. */
function nameRows(tokens: readonly Token[]): void {
  const taken = new Set<string>();
  for (const table of tokens) {
    if (table.type !== 'table') continue;
    for (const row of (table as Tokens.Table).rows) {
      const [, name] = /^`([\w.]+)`$/.exec(row[0]?.text ?? '') ?? [];
      if (name === undefined || taken.has(name)) continue;
      taken.add(name);
      ROW_IDS.set(row, `row-${name}`);
    }
  }
}

function inline(tokens: readonly Token[] = []): ReactNode {
  // oxlint-disable-next-line react/no-array-index-key -- as above
  return tokens.map((token, at) => <Inline key={at} token={token} />);
}

function Inline({ token: given }: { readonly token: Token }) {
  const token = given as Tokens.Generic & typeof given; // as above
  switch (given.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'codespan':
      return <code>{String(token['text'])}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Reference href={String(token['href'])}>{inline(token.tokens)}</Reference>;
    case 'image':
      return <DocsPicture path={String(token['href'])} text={String(token['text'])} />;
    case 'escape':
      return <>{String(token['text'])}</>;
    default:
      return token.tokens === undefined ? <>{textOf(given)}</> : <>{inline(token.tokens)}</>;
  }
}

/** The source has entities as HTML has them. */
function textOf({ raw }: Token): string {
  return raw.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Links lead to other pages here and to the web; what lies only in the source is text. */
function Reference({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const [, page = '', hash = ''] = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href) ?? [];
  if (page === '' && hash !== '') return <a href={`#${hash}`}>{children}</a>;
  if (isPage(page)) {
    return (
      <ViewLink to={paths.help(page)} {...(hash !== '' && { hash })}>
        {children}
      </ViewLink>
    );
  }
  if (!/^https?:\/\//.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
