// What other linters report in the labelled files: `npm run -w lab accuracy` compares them with Deadtime.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { installedApart } from '../tools/install-apart.ts';

const DOCTOR = '0.9.23';

/** A linter's rules that ask what one of ours asks. */
export interface Peer {
  readonly name: string;
  /** Our rule's id, and the peer's rules. */
  readonly asks: Readonly<Record<string, readonly string[]>>;
}

export const peers: readonly Peer[] = [
  {
    name: `ESLint ${ESLint.version} \`no-await-in-loop\``,
    asks: {
      'no-independent-await-in-loop': ['no-await-in-loop'],
      'no-autocommit-in-loop': ['no-await-in-loop'],
    },
  },
  {
    name: `React Doctor ${DOCTOR}`,
    asks: {
      'no-independent-await-in-loop': ['react-doctor/async-await-in-loop'],
      'no-sequential-independent-awaits': [
        'react-doctor/async-parallel',
        'react-doctor/server-sequential-independent-await',
      ],
    },
  },
];

/** As the scorer reads findings. */
export interface PeerFinding {
  readonly ruleId: string;
  readonly file: string;
  readonly line: number;
}

/** Each peer's reports under the names of our rules; a rule that comments of the code disable stays disabled. */
export async function peerFindings(
  labels: string,
  corpus: string,
): Promise<ReadonlyMap<Peer, readonly PeerFinding[]>> {
  const eslint = new ESLint({
    cwd: corpus,
    overrideConfigFile: true,
    ignore: false,
    overrideConfig: {
      files: ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'],
      languageOptions: { parser: parser as Linter.Parser },
      linterOptions: { reportUnusedDisableDirectives: 'off' },
      plugins: { 'react-doctor': await doctor() },
      rules: Object.fromEntries(
        peers.flatMap((it) => Object.values(it.asks).flat()).map((it) => [it, 'error']),
      ),
    },
  });
  const results = await eslint.lintFiles([...labelledFiles(labels, corpus)]);
  return new Map(
    peers.map((peer) => [
      peer,
      results.flatMap(({ filePath, messages }) =>
        messages.flatMap(({ ruleId: asked, line }) =>
          Object.entries(peer.asks)
            .filter(([, theirs]) => asked !== null && theirs.includes(asked))
            .map(([ruleId]) => ({ ruleId, file: filePath, line })),
        ),
      ),
    ]),
  );
}

function labelledFiles(labels: string, corpus: string): ReadonlySet<string> {
  const rows = readdirSync(labels)
    .filter((it) => it.endsWith('.jsonl'))
    .flatMap((it) => readFileSync(join(labels, it), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly repo: string; readonly file: string });
  const paths = rows.map(({ repo, file }) => join(corpus, repo.replace('/', '+'), file));
  return new Set(paths.filter((it) => existsSync(it)));
}

/** Installed here, because a lockfile with it would bring a second parser to everyone. */
async function doctor(): Promise<ESLint.Plugin> {
  const folder = resolve(`node_modules/.cache/react-doctor-${DOCTOR}`);
  const modules = installedApart(folder, ['oxlint-plugin-react-doctor', DOCTOR]);
  const entry = join(modules, 'oxlint-plugin-react-doctor/dist/index.js');
  return ((await import(pathToFileURL(entry).href)) as { default: ESLint.Plugin }).default;
}
