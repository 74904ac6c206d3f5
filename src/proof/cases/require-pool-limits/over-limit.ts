import type { BenchmarkCase } from '../../case.ts';
import { driverOf, openSql } from '../../drivers/index.ts';
import { count, known, numbersOf, poolSize } from '../../parameters.ts';
import { limitedRole } from '../../servers/lent/role.ts';

export const overLimit: BenchmarkCase = {
  ruleId: 'require-pool-limits',
  variant: 'over-limit',
  title: 'Pools of several processes that together need more connections than the server has',
  counts: 'connections that the server refuses',
  needs: { databases: ['postgres'], makes: 'role' },
  parameters: [
    poolSize({ longest: 10 }),
    count('workers', 4, 'processes, each with its own pool', { max: 1_000, longest: 4 }),
    count('serverMax', 30, 'connections that the server allows', { max: 100_000, longest: 30 }),
  ],
  parametersOf: ({ variant, max, workers, serverMax }) =>
    variant === 'over-limit' ? known({ max, workers, serverMax }) : undefined,
  predict(values) {
    const { max, workers, serverMax } = numbersOf(values, 'max', 'workers', 'serverMax');
    return {
      formula: 'max(0, workers · max - serverMax) vs 0',
      unit: 'count',
      flagged: Math.max(0, workers * max - serverMax),
      mended: 0,
      tolerance: { flagged: 0, mended: 0 },
    };
  },
  scalesWith: 'workers',
  doesNotShow: [
    'The load: it must make every pool open all of its connections.',
    'The server’s own max_connections: a role with its own limit replaces it, and the error is the same (53300).',
  ],
  async setUp(context) {
    const { max, workers, serverMax } = numbersOf(
      context.parameters,
      'max',
      'workers',
      'serverMax',
    );
    const { access, sql, close } = await openSql(context);
    const { kind, loan } = access;
    // The role's limit is reached on purpose, the server's may not be.
    loan?.take(workers * max);
    const admin = sql.pool({ max: 1 });
    const role = await limitedRole(admin, serverMax, loan?.name);
    const limited = await driverOf({ kind }, role.urlFrom(access.url), context.trace);
    const run = (size: number) => async () => {
      const pools = Array.from({ length: workers }, () => limited.pool({ max: size }));
      const asked = pools.flatMap((pool) => Array.from({ length: size }, () => pool.connect()));
      const answers = await Promise.allSettled(asked);
      const refused = answers.filter((it) => it.status === 'rejected');
      for (const it of answers) if (it.status === 'fulfilled') it.value.release(true);
      await Promise.all(pools.map((it) => it.end()));
      const other = refused.find((it) => !isOfRole(it.reason));
      if (other) {
        loan?.note(other.reason);
        throw other.reason;
      }
      return {
        value: refused.length,
        isFailure: refused.length > 0,
        text:
          refused.length > 0
            ? `${refused.length} of ${asked.length}: ${String(refused[0]!.reason).replaceAll(role.name, 'app')}`
            : `all ${asked.length} were opened`,
      };
    };
    return {
      kind: 'count',
      flagged: { label: `${workers} pools of ${max}`, run: run(max) },
      mended: {
        label: 'pools that share the limit',
        run: run(Math.max(1, Math.floor(serverMax / workers))),
      },
      async close() {
        await limited.close();
        await role.drop();
        await close();
      },
    };
  },
};

/** Whether it was the role's limit, and not the server's: the words depend on the server's language, this name does not. */
function isOfRole(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '53300' && routine === 'InitializeSessionUserId';
}
