/** Files of an application that holds `db`, as its routes ask it from elsewhere. */
export function heldApplication(db: string): Readonly<Record<string, string>> {
  return {
    '.git/HEAD': '',
    'package.json': '{ "name": "ferry", "dependencies": { "pg": "^8.0.0" } }',
    'src/app.ts': appThat(`app.locals.db = ${db};`),
    'src/plain.ts': `export const one = 1;\n`,
    'src/routes.ts': [
      `import type { Request } from 'express';`,
      `export async function both(req: Request) {`,
      `  const ships = await req.app.locals.db.query('select * from ships');`,
      `  const piers = await req.app.locals.db.query('select * from piers');`,
      `  return [ships.rows, piers.rows];`,
      `}`,
    ].join('\n'),
  };
}

/** The text of a file that makes an application and then does this. */
export function appThat(does: string): string {
  return `import express from 'express';\nimport { Pool } from 'pg';\nconst app = express();\n${does}\n`;
}
