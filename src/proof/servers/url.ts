import type { DatabaseKind } from '../case.ts';

const kinds: Readonly<Record<string, DatabaseKind>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
};

/** The kind of server that a URL names, or why it names none. */
export function kindOfUrl(
  text: string,
): { readonly kind: DatabaseKind; readonly url: URL } | { readonly message: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const kind = url && kinds[url.protocol];
  if (url && kind && url.hostname) return { kind, url };
  const what = url ? `${url.protocol}//${url.host} is no` : 'that is not the URL of a';
  const form = 'postgres://user:password@host:port/database or mysql://user:password@host/database';
  return { message: `${what} database that Deadtime supports; write ${form}` };
}

export function defaultPort({ protocol }: URL): number {
  return kinds[protocol] === 'mysql' ? 3306 : 5432;
}

/**
 * The same server, with sessions in which a name without a schema is one of PostgreSQL's own. Otherwise another user of the database
 * could make a function that fits a call of ours better, and it would run with the rights of the user whom the URL names.
 */
export function withBuiltInNames(url: URL): URL {
  if (kinds[url.protocol] !== 'postgres') return url;
  const own = new URL(url);
  const options = own.searchParams.get('options') ?? '';
  if (!options.endsWith(SEARCH_PATH)) {
    own.searchParams.set('options', `${options} ${SEARCH_PATH}`.trim());
  }
  return own;
}

/**
 * Sent when a session starts, so that it overrides the settings of the database; a session pooler rejects it or keeps it to
 * this session.
 */
const SEARCH_PATH = '-c search_path=pg_catalog';

/** For messages: a URL that people may copy into an issue. */
export function withoutPassword(url: URL): string {
  const shown = new URL(url);
  if (shown.password) shown.password = '***';
  return shown.href;
}
