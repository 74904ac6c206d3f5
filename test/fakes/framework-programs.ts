/** Files of a project, by their paths. */
export type Files = Readonly<Record<string, string>>;

/** The pool that the programs import as `#db`. */
export const DB = `import { Pool } from 'pg';
export const pool = new Pool({ max: 10, connectionTimeoutMillis: 5_000 });
`;

/** Two reads that could run concurrently, and a connection that leaks when its query fails. */
export const WORK = `
  const orders = await pool.query('SELECT * FROM orders WHERE customer = $1', [id]);
  const invoices = await pool.query('SELECT * FROM invoices WHERE customer = $1', [id]);
  const client = await pool.connect();
  await client.query('UPDATE customers SET visits = visits + 1 WHERE id = $1', [id]);
  client.release();
  const seen = [orders.rows, invoices.rows];
`;
export const IMPORT = `import { pool } from '#db';\n`;

const EXPRESS: Files = {
  'main.ts': `import express from 'express';
${IMPORT}const app = express();
app.get('/:id', async (req, res) => { const { id } = req.params;${WORK}  res.json(seen); });
app.listen(3_000);
`,
};

/** A service of which only the handler in another file shows that each request runs it. */
export const SERVICE = `${IMPORT}export async function visit(id: string) {${WORK}  return seen; }\n`;

export const perRequestIn: readonly (readonly [string, Files, ...string[]])[] = [
  ['a handler of Express', EXPRESS, 'express'],
  [
    'a function that a handler of Express calls in another file',
    {
      'visits.ts': SERVICE,
      'main.ts': `import express from 'express';
import { visit } from './visits.ts';
export const app = express();
app.get('/:id', async (req, res) => { res.json(await visit(req.params.id)); });
`,
    },
    'express',
  ],
  [
    'the same by way of an index, under another name',
    {
      'visits/visits.ts': SERVICE,
      'visits/index.ts': `export * from './visits.ts';\n`,
      'main.ts': `import express from 'express';
import { visit as visited } from './visits/index.ts';
export const app = express();
app.get('/:id', async (req, res) => { res.json(await visited(req.params.id)); });
`,
    },
    'express',
  ],
  [
    'a handler that is passed by its name from another file',
    {
      'visits.ts': `${IMPORT}export default async function (query, answer) { const { id } = query;${WORK}  answer.json(seen); }\n`,
      'main.ts': `import { Router } from 'express';
import visit from './visits.ts';
export const router = Router();
router.get('/:id', visit);
`,
    },
    'express',
  ],
  [
    'a controller of Nest',
    {
      'visits.controller.ts': `import { Controller, Get, Param } from '@nestjs/common';
${IMPORT}@Controller('visits')
export class VisitsController {
  @Get(':id') async visit(@Param('id') id: string) {${WORK}  return seen; }
}
`,
    },
    '@nestjs/common',
  ],
  [
    'a service that a controller of Nest is given',
    {
      'visits.service.ts': `import { Injectable } from '@nestjs/common';
${IMPORT}@Injectable()
export class VisitsService {
  async visit(id: string) { return this.visited(id); }
  private async visited(id: string) {${WORK}  return seen; }
}
`,
      'visits.controller.ts': `import { Controller, Post, Body } from '@nestjs/common';
import { VisitsService } from './visits.service.ts';
@Controller('visits')
export class VisitsController {
  constructor(private readonly visits: VisitsService) {}
  @Post() async visit(@Body('id') id: string) { return this.visits.visit(id); }
}
`,
    },
    '@nestjs/common',
  ],
  [
    'a guard of Nest',
    {
      'visits.guard.ts': `import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
${IMPORT}@Injectable()
export class VisitsGuard implements CanActivate {
  async canActivate(context: ExecutionContext) { const id = context.getHandler().name;${WORK}  return seen.length > 0; }
}
`,
    },
    '@nestjs/common',
  ],
  [
    'a page of the app router',
    {
      'app/visits/[id]/page.tsx': `${IMPORT}export default async function Page({ params }) { const { id } = await params;${WORK}  return <p>{seen.length}</p>; }\n`,
    },
    'next',
  ],
  [
    'an async component of a page',
    {
      'app/visits/visits.tsx': `${IMPORT}export async function Visits({ id }) {${WORK}  return <p>{seen.length}</p>; }\n`,
    },
    'next',
  ],
  [
    'a route of the app router',
    {
      'app/visits/route.ts': `${IMPORT}export async function GET(request: Request) { const id = request.url;${WORK}  return Response.json(seen); }\n`,
    },
    'next',
  ],
  [
    'a route of the app router behind a function of the project',
    {
      'lib/signed-in.ts': `export const signedIn = (handle) => async (request) => {
  const id = request.headers.get('user');
  return await handle(request, { id });
};
`,
      'app/visits/route.ts': `${IMPORT}import { signedIn } from '../../lib/signed-in.ts';
export const PUT = signedIn(async (request, { id }) => {${WORK}  return Response.json(seen); });
`,
    },
    'next',
  ],
  [
    'getServerSideProps',
    {
      'pages/visits.tsx': `${IMPORT}export const getServerSideProps = withUser(async ({ params: { id } }) => {${WORK}  return { props: { seen } }; });
export default function Visits({ seen }) { return <p>{seen.length}</p>; }
`,
    },
    'next',
  ],
  [
    'a route of the pages router',
    {
      'pages/api/visits.ts': `${IMPORT}export default async function visit(query, answer) { const { id } = query.body;${WORK}  answer.json(seen); }\n`,
    },
    'next',
  ],
  [
    'a file of server actions',
    {
      'app/actions.ts': `'use server';\n${IMPORT}export async function visit(id: string) {${WORK}  return seen; }\n`,
    },
    'next',
  ],
  [
    'a server action in a component',
    {
      'app/form.tsx': `${IMPORT}export function Form({ id }) {
  async function visit() { 'use server';${WORK}  return seen; }
  return <form action={visit} />;
}
`,
    },
    'next',
  ],
  [
    'a route of Elysia',
    {
      'main.ts': `import { Elysia } from 'elysia';
${IMPORT}new Elysia().get('/:id', async ({ params: { id } }) => {${WORK}  return seen; }, { detail: {} }).listen(3_000);
`,
    },
    'elysia',
  ],
  [
    'a resolver of GraphQL',
    {
      'resolvers.ts': `${IMPORT}export const resolvers = {
  Query: { visit: async (_: unknown, { id }: { id: string }) => {${WORK}  return seen; } },
};
`,
    },
    'graphql',
  ],
  [
    'a resolver class of Nest',
    {
      'visits.resolver.ts': `import { Args, Mutation, Resolver } from '@nestjs/graphql';
${IMPORT}@Resolver()
export class VisitsResolver {
  @Mutation(() => Number) async visit(@Args('id') id: string) {${WORK}  return seen.length; }
}
`,
    },
    '@nestjs/graphql',
  ],
  [
    'export default { fetch }',
    {
      'worker.ts': `${IMPORT}export default {
  port: 3_000,
  async fetch(request: Request) { const id = request.url;${WORK}  return Response.json(seen); },
};
`,
    },
  ],
  [
    'a procedure of tRPC',
    {
      'trpc.ts': `import { initTRPC } from '@trpc/server';
export const t = initTRPC.context<object>().create();
export const router = t.router;
export const open = t.procedure.use(({ next }) => next());
`,
      'visits.ts': `import { z } from 'zod';
import { open, router } from './trpc.ts';
${IMPORT}export const visits = router({
  visit: open.input(z.object({ id: z.string() })).mutation(async ({ input: { id } }) => {${WORK}  return seen; }),
});
`,
    },
    '@trpc/server',
  ],
];

export const perJobIn: readonly (readonly [string, Files, ...string[]])[] = [
  [
    'a worker of BullMQ',
    {
      'jobs.ts': `import { Worker } from 'bullmq';
${IMPORT}new Worker('visits', async ({ data: { id } }) => {${WORK}  return seen; }, { connection: {} });
`,
    },
    'bullmq',
  ],
  [
    'a function of another file that a worker is given',
    {
      'visits.ts': `${IMPORT}export async function visit({ data: { id } }) {${WORK}  return seen; }\n`,
      'jobs.ts': `import { Worker } from 'bullmq';
import { visit } from './visits.ts';
new Worker('visits', visit, { connection: {} });
`,
    },
    'bullmq',
  ],
  [
    'a processor of Nest',
    {
      'visits.processor.ts': `import { Processor, WorkerHost } from '@nestjs/bullmq';
${IMPORT}@Processor('visits')
export class VisitsProcessor extends WorkerHost {
  async process({ data: { id } }) {${WORK}  return seen; }
}
`,
    },
    '@nestjs/bullmq',
  ],
  [
    'a task of graphile-worker',
    {
      'jobs.ts': `import { run } from 'graphile-worker';
${IMPORT}await run({ taskList: { visit: async ({ id }) => {${WORK}  console.log(seen); } } });
`,
    },
    'graphile-worker',
  ],
  [
    'a consumer of RabbitMQ',
    {
      'jobs.ts': `import { connect } from 'amqplib';
${IMPORT}const connection = await connect('amqp://localhost');
export const channel = await connection.createChannel();
await channel.consume('visits', async (message) => { const id = String(message.content);${WORK}  console.log(seen); });
`,
    },
    'amqplib',
  ],
  [
    'a cron job',
    {
      'jobs.ts': `import cron from 'node-cron';
${IMPORT}cron.schedule('* * * * *', async () => { const id = '1';${WORK}  console.log(seen); });
`,
    },
    'node-cron',
  ],
  [
    'a cron job of Nest',
    {
      'visits.tasks.ts': `import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
${IMPORT}@Injectable()
export class VisitsTasks {
  @Cron('* * * * *') async visit() { const id = '1';${WORK}  console.log(seen); }
}
`,
    },
    '@nestjs/schedule',
  ],
  [
    'an endless loop at module level that takes jobs',
    {
      'jobs.ts': `${IMPORT}for (;;) {
  const { rows: [{ id }] } = await pool.query('SELECT id FROM jobs LIMIT 1 FOR UPDATE SKIP LOCKED');
  await visit(id);
}
async function visit(id: string) {${WORK}  console.log(seen); }
`,
    },
  ],
];
