import type { Node } from '../../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../../src/analysis/file/file.ts';
import { rangeOf } from '../../../src/analysis/syntax/places.ts';
import {
  imported,
  insertedIn,
  type Mutations,
  type RuleMutations,
  removed,
  seedAt,
  seedOf,
} from '../seed.ts';
import { routesIn } from '../syntax.ts';

const pools = [
  {
    of: "from '../db.ts'",
    load: "import { Pool } from 'pg';",
    make: 'const pool = new Pool({ max: 4, connectionTimeoutMillis: 1_000 });',
  },
  {
    of: "from '../prisma.ts'",
    load: "import { PrismaClient } from '@prisma/client';",
    make: 'const prisma = new PrismaClient();',
  },
  {
    of: "from './db.js'",
    load: "import knexFactory from 'knex';",
    make: "const knex = knexFactory({ client: 'mysql2', connection: process.env.DATABASE_URL, pool: { max: 4 } });",
  },
] as const;

const mutations: Mutations = {
  *'makes the pool in the handler'(file) {
    for (const { of, load, make } of pools) {
      if (!file.text.includes(of)) continue;
      const name = /^const (\w+)/.exec(make)![1]!;
      for (const block of routesIn(file)) {
        const uses = new RegExp(`\\b${name}\\b`).test(file.textOf(block));
        if (uses) yield seedAt(block, imported(file, load), insertedIn(block, 'start', ` ${make}`));
      }
    }
  },

  *'leaves the time limit of the pool out'(file) {
    for (const property of file.nodes.all('Property')) {
      if (
        !/^(?:connectionTimeoutMillis|acquireTimeoutMillis|waitQueueTimeoutMS)$/.test(
          file.textOf(property.key),
        )
      )
        continue;
      yield seedOf(file, removed(withComma(file, property)));
    }
  },
};

export default { mutations } satisfies RuleMutations;

function withComma(file: FileFacts, property: Node) {
  const [start, end] = rangeOf(property);
  const after = /^\s*,/.exec(file.text.slice(end));
  return { range: [start, end + (after?.[0].length ?? 0)] } as const;
}
