import type { Pace } from './schema.ts';

/**
 * Functions of a project that a framework finds and calls by itself, where no call of the program hands them over: methods
 * with a decorator, exports of a file, members of an object.
 */
export type Entry = {
  /** How often they run. */
  readonly runs: Pace;
  /** The framework's packages: one of them is imported, or a dependency of the project; absent where the runtime calls. */
  readonly packages?: readonly string[];
} & (DecoratedMethods | MethodsOfClasses | Exports | Members | Directive | Components);

/** Methods with a decorator of the packages: `@Get()`. */
interface DecoratedMethods {
  readonly by: 'decorator';
  readonly decorators: RegExp;
}

/** Methods of a class that extends, implements or is decorated by something of the packages: `implements CanActivate`. */
interface MethodsOfClasses {
  readonly by: 'class';
  readonly classes: RegExp;
  readonly methods: RegExp;
}

/** What a file exports: `getServerSideProps`. */
interface Exports {
  readonly by: 'export';
  readonly names: RegExp;
  /** The paths of such files, in their project. */
  readonly files?: RegExp;
  /** A file that also exports one of these runs before any request. */
  readonly unlessExported?: RegExp;
}

/** Members of an object that has a name, or is the default export: `export default { fetch }`. */
interface Members {
  readonly by: 'member';
  /** The name of its variable or property; `default` for the default export. */
  readonly objects: RegExp;
  readonly members?: RegExp;
  /** A function with fewer parameters is none: a client has a `fetch()`, too. */
  readonly leastParameters?: number;
}

/** Functions that begin so, and those that a file exports which does. */
interface Directive {
  readonly by: 'directive';
  readonly directive: string;
}

/** Async functions that draw a part of a page: only a server can wait for one. */
interface Components {
  readonly by: 'component';
}

const NEST = ['@nestjs/common'];
const NEXT = ['next'];
/** Their decorators mark resolvers. */
export const graphqlDecorators = ['@nestjs/graphql', 'type-graphql'];
/** They run the resolvers of a map by type and field. */
export const graphqlServers = [
  ...['graphql', '@apollo/server', 'apollo-server', 'apollo-server-express', 'graphql-yoga'],
  ...['mercurius', '@graphql-tools/schema', 'graphql-modules'],
];
const VERBS = 'Get|Post|Put|Patch|Delete|Options|Head|All';

/** In the order in which they are tried. */
export const entries: readonly Entry[] = [
  {
    by: 'decorator',
    packages: NEST,
    decorators: new RegExp(`^(?:${VERBS}|Search|Sse)$`),
    runs: 'per-request',
  },
  {
    by: 'class',
    packages: NEST,
    classes: /^(?:CanActivate|NestInterceptor|NestMiddleware|PipeTransform|ExceptionFilter)$/,
    methods: /^(?:canActivate|intercept|use|transform|catch)$/,
    runs: 'per-request',
  },
  {
    by: 'decorator',
    packages: graphqlDecorators,
    decorators: /^(?:Query|Mutation|Subscription|ResolveField|ResolveReference|FieldResolver)$/,
    runs: 'per-request',
  },
  {
    by: 'decorator',
    packages: ['@nestjs/microservices'],
    decorators: /^(?:MessagePattern|EventPattern|Grpc(?:Stream)?Method)$/,
    runs: 'per-job',
  },
  {
    by: 'decorator',
    packages: ['@nestjs/websockets'],
    decorators: /^SubscribeMessage$/,
    runs: 'per-job',
  },
  { by: 'decorator', packages: ['@nestjs/bull'], decorators: /^Process$/, runs: 'per-job' },
  {
    by: 'class',
    packages: ['@nestjs/bullmq'],
    classes: /^(?:Processor|WorkerHost)$/,
    methods: /^process$/,
    runs: 'per-job',
  },
  {
    by: 'decorator',
    packages: ['@nestjs/schedule'],
    decorators: /^Cron$/,
    runs: 'scheduled',
  },
  {
    by: 'decorator',
    packages: ['@nestjs/schedule'],
    decorators: /^Interval$/,
    runs: 'periodic',
  },
  {
    by: 'export',
    packages: NEXT,
    names: /^getServerSideProps$/,
    runs: 'per-request',
  },
  {
    by: 'export',
    packages: NEXT,
    names: /^(?:default|generateMetadata)$/,
    files: /[\\/]app[\\/](?:.*[\\/])?(?:page|layout|template|default)\.[jt]sx?$/,
    unlessExported: /^generateStaticParams$/,
    runs: 'per-request',
  },
  {
    by: 'export',
    packages: NEXT,
    names: /^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/,
    files: /[\\/]app[\\/](?:.*[\\/])?route\.[jt]sx?$/,
    runs: 'per-request',
  },
  {
    by: 'export',
    packages: NEXT,
    names: /^default$/,
    files: /[\\/]pages[\\/]api[\\/].*\.[jt]sx?$/,
    runs: 'per-request',
  },
  {
    by: 'export',
    packages: NEXT,
    names: /^(?:default|middleware|proxy)$/,
    files: /^(?:[\\/]src)?[\\/](?:middleware|proxy)\.[jt]s$/,
    runs: 'per-request',
  },
  { by: 'component', packages: NEXT, runs: 'per-request' },
  { by: 'directive', directive: 'use server', runs: 'per-request' },
  {
    by: 'member',
    objects: /^default$/,
    members: /^fetch$/,
    leastParameters: 1,
    runs: 'per-request',
  },
  { by: 'member', objects: /^default$/, members: /^queue$/, runs: 'per-job' },
  { by: 'member', objects: /^default$/, members: /^scheduled$/, runs: 'scheduled' },
  {
    by: 'member',
    packages: graphqlServers,
    objects: /^(?:Query|Mutation|Subscription)$/,
    runs: 'per-request',
  },
  { by: 'member', packages: ['graphile-worker'], objects: /^taskList$/, runs: 'per-job' },
];
