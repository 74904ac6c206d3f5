import type { Operation } from '../sql/operation.ts';
import type { Handler } from './handlers.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Remedies } from './remedies.ts';

/**
 * The library model is data: what a package exports, what its objects are and what their methods do.
 * A reference to a type is a string: `PoolClient`, `Promise<PoolClient>`, `PoolClient[]`, `this`, `Map`, or
 * `pg.Pool` for a type of another library (the last dot separates: `mysql2/promise.Pool`). `verifiedWith` is
 * the version whose .d.ts (and source) was read. `require()` gives the exports, or what the type of `default` has.
 * An annotation (`pool: Pool`) means the type of that name, else what the export of that name constructs.
 */
export interface Library {
  readonly name: string;
  /** Module specifiers that reach this library; `node:` prefixes are stripped before the look-up. */
  readonly modules: readonly string[];
  /** Source of a regular expression for whole specifiers that no list can name: generated clients, `@aws-sdk/client-*`. */
  readonly modulePattern?: string;
  readonly verifiedWith: string;
  /**
   * Names that its generator exports from a module of the program's own. A repository often leaves that module out, so where it
   * is not found, the name alone decides.
   */
  readonly generates?: readonly string[];
  /** Its types that programs name without an import, because a platform declares them: `Response`, `D1Database`. */
  readonly ambient?: readonly string[];
  /** Types that a tool of it writes for a whole package, into a file without its extension: the bindings of a worker. */
  readonly writes?: { readonly file: string; readonly types: readonly string[] };
  /** What its calls ask, for messages: `Workers KV`. Left out, they ask what their environment is. */
  readonly called?: string;
  /** Pages ask it as servers do. */
  readonly isForPages?: true;
  /** Each call commits what it has written: no transaction stays open between two. */
  readonly commitsEach?: true;
  /** Its calls commit only where the code contains this: `autoCommit: true`. */
  readonly commitsIf?: RegExp;
  /** Its pool closes a connection after a query of the pool's own has failed. */
  readonly closesFailed?: true;
  /** A second release throws, or releases what another request has acquired since. */
  readonly releasesOnce?: true;
  /** `await using` releases its connections and sessions as their own method does, and commits nothing. */
  readonly isDisposable?: true;
  /** Its connection warns that a later version will not queue concurrent calls. */
  readonly deprecatesQueue?: true;
  /** A stream of a query ends after an error, too. */
  readonly endsAfterErrors?: true;
  /** Its data are tables of the program's own database. */
  readonly usesTables?: true;
  /** The engine of the database that it reaches, where that runs in this process. */
  readonly engine?: 'sqlite';
  /** It is given a driver, a package of its own that the manifest lists. */
  readonly isGivenDriver?: true;
  /** A schema in a file of the project declares the database, unless an adapter is given. */
  readonly hasSchemaFile?: true;
  /** Functions that programs add to its models run with their writes: `beforeCreate`. */
  readonly runsHooks?: true;
  /** The option that gives a model its data source: `Order.init(columns, { sequelize })`. */
  readonly modelOption?: string;
  /** The option by which its functions borrow a connection or session: `{ transaction }`. */
  readonly borrowedBy?: string;
  /** The field of a request that identifies where a message or row goes. */
  readonly destination?: RegExp;
  /** Its default export bounds concurrency: it maps a list, or makes a function that runs tasks. */
  readonly bounds?: 'map' | 'limit';
  /** The benchmark job whose work is most like that of its functions on the thread pool; `zlib` where absent. */
  readonly job?: 'scrypt' | 'pbkdf2' | 'zlib';
  /** Keeps documents, where others have rows: filters, updates and options are objects. */
  readonly keepsDocuments?: true;
  /** Its module replaces the language's `Promise`: `Promise.all` of it is the same. */
  readonly replacesPromise?: true;
  /** Answers with what went wrong instead of throwing it. */
  readonly answersErrors?: true;
  /** A third-party service, which limits the rate of requests. */
  readonly isHosted?: true;
  /**
   * How its calls find the enclosing transaction without an argument: automatically ('default'), with `useCLS` ('cls'), or with
   * one of these packages. Absent: they run on their receiver.
   */
  readonly ambience?: 'default' | 'cls' | readonly string[];
  /** Arguments of a call contain writes and reads of related rows: `data: { tags: { connect } }`, `include`. */
  readonly nestsRelated?: true;
  /** Rows of different keys are on different nodes: one query for many keys is slower than many queries. */
  readonly isPartitioned?: true;
  readonly remedies?: Remedies;
  /** How a container gives its objects to the constructors of an application. */
  readonly injection?: Injection;
  /** Functions of a project that has this framework are recognised as its handlers so, in this order. */
  readonly handlers?: readonly Handler[];
  /** What `import x from`, `import * as x from` and `require()` give, by export name. */
  readonly exports: Readonly<Record<string, Member>>;
  /** Exports matched by the pattern of their names, tried in order after `exports`: `GetObjectCommand`. */
  readonly exportPatterns?: readonly (readonly [name: RegExp, member: Member])[];
  readonly types: Readonly<Record<string, LibraryType>>;
}

export interface Injection {
  /** The packages whose decorators these are. */
  readonly modules: readonly string[];
  /** By decorator, which argument names the data source. Left out, it is the default one. */
  readonly decorators: Readonly<Record<string, number>>;
  /** Types of which only the default data source's object is given without a decorator. */
  readonly byType: readonly string[];
  /** By decorator, the type of its value, where the type of its parameter is unresolved. */
  readonly gives?: Readonly<Record<string, string>>;
}

/** What an object is to the rules. `handle`s live on one connection; a `pool` hands them out. */
export type Role =
  | 'pool'
  | 'connection'
  | 'transaction'
  | 'client' // one connection of its own, not from a pool
  | 'orm' // queries through an internal pool (PrismaClient, Sequelize, DataSource, Knex)
  | 'session'
  | 'channel'
  | 'builder' // a query under construction
  | 'queue'
  | 'limiter'
  | 'lock'
  | 'loader'; // batches by tick (DataLoader)

export interface LibraryType {
  readonly role?: Role;
  readonly members?: Readonly<Record<string, Member>>;
  /** Members matched by the pattern of their names, tried in order after `members`: `listBuckets`. */
  readonly memberPatterns?: readonly (readonly [name: RegExp, member: Member])[];
  /** Any property that neither names: `prisma.user`, `db.query.users`. */
  readonly anyMember?: Member;
  /** The object is itself callable, tagged templates included: knex('users'), sql`select 1`. */
  readonly call?: Signature;
  readonly construct?: Signature;
  readonly extends?: string;
  /** Awaiting the object runs it (knex and drizzle builders): the effect of the await. */
  readonly awaited?: { readonly returns?: string; readonly effect: Effect };
  /** How many calls one such handle runs concurrently; absent: it depends on what the code does not show. */
  readonly concurrency?: 'serial' | 'pipelined' | 'pooled' | 'sync';
  /** It sends a statement before the earlier ones are answered, unless an option prevents it. */
  readonly sendsAhead?: true;
  /** A call fails while another one is under way. */
  readonly isExclusive?: true;
  /** A declaration of this type admits a transaction, too: `Transaction extends Kysely`. */
  readonly admitsTransaction?: true;
  /** The manager of a transaction has this type, as any other manager has. */
  readonly managesTransactions?: true;
  /** A declaration of this type admits the pool, too: `Prisma.TransactionClient`. */
  readonly admitsPool?: true;
  /** It stays in the session that loaded it, or that was set on it: its calls do not name it. */
  readonly keepsSession?: true;
  /** Its type parameter at this index names the entity, which is its table: `Repository<Order>`. */
  readonly tableType?: number;
  readonly pool?: PoolFacts;
  /** Opening it opens a file: no server has to accept anything. */
  readonly isFile?: true;
  /** With a write-ahead log, its commits do not wait for the disk: SQLite is built so. */
  readonly hasRelaxedLog?: true;
  /** Its keys are on several servers: no pipeline reaches all of them. */
  readonly isPartitioned?: true;
  /** A loop over it runs at intervals. */
  readonly isPeriodic?: true;
  /** A loop over it gets each message or event that comes in. */
  readonly isWorkSource?: true;
  /** A function of a project that is given it is given a value of this type before it: `define(sequelize, DataTypes)`. */
  readonly follows?: string;
  /** It sends nothing before a subscription. */
  readonly isLazy?: true;
  /** It does not outlive the request that it serves: to make one each time is how it is meant. */
  readonly isBrief?: true;
  /** Programs put on it what their other parts work with. */
  readonly open?: Open;
  /** It only matters for what programs put on it. */
  readonly isHolder?: true;
  /** Members, parameters and results refer to its type arguments: `<0>`, `<0>.Bindings`; a type that it leads to has the same. */
  readonly isGeneric?: true;
  /** Its type arguments where a class that extends it names none: types that a tool writes. */
  readonly unnamed?: readonly string[];
  /** The type of a function: what it is given. */
  readonly takes?: readonly (string | undefined)[];
  /** Which of its type arguments a parameter is: the options of `FastifyPluginAsync<Options>`. */
  readonly takesArgument?: readonly (number | undefined)[];
  /** Made once a process: each one opens connections of its own. A `client` needs no such word. */
  readonly isWhole?: true;
  /** As `isWhole`, with one connection, unless it is given one that exists already. */
  readonly isConnected?: true;
  /** By the type of other objects, or its own, how programs declare on it the members that those have besides the library's. */
  readonly equips?: Readonly<Record<string, Equipment>>;
}

/** Where programs write such members: `schema.statics.findByEmail = …`, `User.prototype.touch = …`. */
export interface Equipment {
  /** The property that has them, also of the options that it is made with; the object itself where absent. */
  readonly property?: string;
  /** The method that adds one under a name, or several in an object: `schema.static('findByEmail', …)`. */
  readonly method?: string;
  /** The method that adds those of a class: `schema.loadClass(UserClass)`. */
  readonly loads?: string;
}

/** Members that programs add to an object, and where they declare them. */
export interface Open {
  /** It lives as long as the process: a connection of one request is not put there. */
  readonly isLasting?: true;
  /** Interfaces that programs declare more of, with their namespaces: `FastifyInstance`, `Express.Request`. */
  readonly declaredIn?: readonly string[];
  /** By method that puts its second argument under its first, the type on which that is found: `decorate`. */
  readonly puts?: Readonly<Record<string, string>>;
  /** By method that gives what was put under its only argument, the type on which that is found: `app.get('db')`. */
  readonly gives?: Readonly<Record<string, string>>;
}

export interface Member extends Signature {
  /** A property: the type of its value. A member with neither `type` nor a signature is a method of unknown result. */
  readonly type?: string;
  /** An exported class: what `new` gives. */
  readonly construct?: Signature;
  /** The last version that has it, for what real code still calls and the .d.ts of `verifiedWith` no longer names. */
  readonly until?: string;
  /** It is there only where one of these packages is: a plugin's, by its name and those that it had before. */
  readonly ifInstalled?: readonly string[];
  /** It is there at run time; the declarations forgot it. */
  readonly untyped?: true;
}

export interface Signature {
  readonly returns?: string;
  /** What it gives in place of that where its first argument is one connection: `drizzle(client)`. */
  readonly onConnection?: string;
  readonly effect?: Effect;
  /**
   * The caller must release the result (or the callback's handle, or the value of the property's promise): the kind of the
   * acquired thing.
   */
  readonly acquires?:
    'connection' | 'transaction' | 'statement' | 'session' | 'channel' | 'lock' | 'body';
  /** It waits for all promises of the list that it is given: `t.batch([…])`. */
  readonly settles?: true;
  /** Every call gives the same one, which the first call has taken. */
  readonly isShared?: true;
  /** What it gives is of the application's default data source, unless the argument at this index names another. */
  readonly sourceAt?: number;
  /** The type of the pool that lends it, which the library holds internally: that at `sourceAt`. */
  readonly lender?: string;
  /** Given an object, it opens a connection instead of checking one out. */
  readonly opensWithOptions?: true;
  /** Calls before the end of this one are queued, unless the code contains this: `disableOfflineQueue`. */
  readonly queuesUnless?: RegExp;
  /** Releases the receiver ('this') or the argument with this index. */
  readonly releases?: 'this' | number;
  /** Closes the connection of the receiver, while its pool goes on to count it as taken. */
  readonly keepsPlace?: true;
  /** The obligation of the receiver starts here, not at its construction (lazy runners, new Client().connect()). */
  readonly begins?: 'connection' | 'transaction' | 'statement' | 'session' | 'channel' | 'lock';
  readonly callback?: Callback;
  /** What holds where the argument at its callback's place is a function: `knex.transaction(async trx => …, config)`. */
  readonly withCallback?: Signature;
  /** For builders: what the statement becomes by this step. */
  readonly step?: BuilderStep;
  /**
   * Of a response, which keeps its socket until its body is read: 'reads' does that, 'part' is the body itself, with the same
   * members as far as they matter, `tells` only concerns the response.
   */
  readonly body?: 'reads' | 'part' | 'tells';
  /** What it gives has the members that programs write on the argument at this index: on a schema. */
  readonly equippedBy?: number;
  /** Of observables: it subscribes to its argument, joins several, applies operators, or passes a value on without a wait or a request. */
  readonly observables?: 'subscribes' | 'joins' | 'pipes' | 'passes';
  /** The index of its argument that it gives, or of a function to which it gives one that does the same: React's `cache`. */
  readonly returnsArgument?: number;
  /** What that function answers is kept beyond the request: most calls wait for nothing. */
  readonly isLasting?: true;
  /** It gives what it is given with promises in place of callbacks: a function, or an object with a `readAsync` for each `read`. */
  readonly promisifies?: true;
  /** The method that takes a list of what this one takes: `mget` for `get`. */
  readonly listMethod?: string;
  /** Waits for a time. Without `argument` the time is unresolved. */
  readonly sleep?: Sleep;
  /** Why it is not certain, as part of a sentence: the recorded fact that declares it is not confirmed. */
  readonly assumed?: string;
  /** Waits for a turn of the event loop: the queue of the turn. */
  readonly yield?: 'immediate' | 'timer' | 'tick';
}

export interface Sleep {
  /** Index of the argument that is the time. */
  readonly argument?: number;
  readonly unit: 's' | 'ms' | 'us';
}

/** How often a library or framework runs a function; `scheduled`: at the times of a cron expression, for the job of that time. */
export type Pace = 'per-item' | 'per-job' | 'per-request' | 'periodic' | 'scheduled';

export interface Callback {
  /** Index of the argument, or 'last'. */
  readonly at: number | 'last';
  /** Types of the callback's parameters; 'error' and 'release' are words, `undefined` is a value of no interest. */
  readonly params: readonly (string | undefined)[];
  /** The argument is an object and the functions are these properties of it: `consumer.run({ eachMessage })`. */
  readonly properties?: readonly string[];
  /** Called once per element, each call after the previous one has settled: a sequential loop (`async.eachSeries`). */
  readonly series?: boolean;
  /** The library acquires and releases the value that it passes: a self-managed scope. */
  readonly scope?: 'connection' | 'transaction' | 'session';
  /** What `this` is in it. */
  readonly self?: string;
  /** When the callback runs once per item of work: what kind of hot context it is. */
  readonly runs?: Pace;
}

export interface BuilderStep {
  readonly op?: Operation;
  /** The table is the literal or name at this argument index. */
  readonly table?: number;
  /** The literal at this argument index names a query of the statement itself, and no table: `WITH name AS (…)`. */
  readonly names?: number;
  /** A function among the arguments gets a statement, and may make it write: knex's `modify`. */
  readonly lends?: true;
  /** The statement is the SQL at this argument index: knex's `raw`. */
  readonly sql?: number;
  /**
   * The method of the options at this argument index determines it; at 0, an address may precede them: `got(url, { method })`.
   */
  readonly request?: number;
  /** The stages of an aggregation are at this argument index: some of them write. */
  readonly pipeline?: number;
  /** The statement runs on the handle at this argument index: knex's `.transacting(trx)`. */
  readonly handle?: number;
  /** Options of the statement follow from this argument index on: `find(filter, projection, options)`. */
  readonly optionsAt?: number;
  /** Whether it asks for the row of a key, as far as its argument does: `findById`. An order of the rows asks for another. */
  readonly keyed?: boolean;
}

/** 'cpu' is work of this process that an await waits for (hashing, compression); 'dns' leaves it, as 'http' does. */
export type Environment =
  | 'db'
  | 'redis'
  | 'http'
  | 'dns'
  | 'fs'
  | 'queue'
  | 'email'
  | 'proc'
  | 'cpu'
  | 'timer'
  | 'lock'
  | 'console';

/**
 * The effect of a call outside of the program. `op` 'sql' reads the statement in the argument at `argument` (default 0);
 * 'builder' uses the operation that the steps of the chain have set; 'method' reads the `method` of the options at `argument`
 * (default 1; at 0, an address may precede them); 'argument' uses the `awaited` effect of the object at `argument` (AWS
 * commands); 'document' reads the GraphQL in the argument at `argument` (default 0); 'cypher' reads the Cypher there; 'verb'
 * reads the HTTP method at the start of the text at `argument` (default 0): `GET /orders`.
 */
export interface Effect {
  readonly env: Environment;
  readonly op:
    Operation | 'sql' | 'builder' | 'method' | 'argument' | 'verb' | 'document' | 'cypher';
  readonly argument?: number;
  /** Index of the argument that names what is touched: redis key, file path, URL, queue. */
  readonly key?: number;
  /** The argument at `key` may also be what is stored, which does not name its table: `manager.save(order)`. */
  readonly keyOrRow?: true;
  /**
   * Properties of an options argument that change the effect: 'sync' takes a lock, 'veto' fails on data,
   * 'handle' is the connection, transaction or session that the call runs on.
   */
  readonly options?: Readonly<Record<string, 'sync' | 'veto' | 'handle'>>;
  /**
   * Arguments from this index on may be such options, also where they are no literals, and none before it. Absent, it is 1, and
   * those before it may be options that are literals. The steps of a builder contain them.
   */
  readonly optionsAt?: number;
  /** The effect of a write on a row, where the name of the method does not determine it. */
  readonly verb?: 'insert' | 'save' | 'update' | 'delete' | 'many';
  /** It reads or writes one row, which what it is called on names: a document by its reference. */
  readonly keyed?: true;
  /** The call returns synchronously (no wait): sync drivers, console. */
  readonly sync?: boolean;
  /** The result may come from memory or be batched: awaiting it is no wait of its own. */
  readonly memo?: boolean;
  /** Sent together with what else is asked so in one tick of the event loop: it only waits by itself in a loop. */
  readonly isBatched?: true;
  /** Runs on libuv's thread pool. */
  readonly threadPool?: 'cpu' | 'fs' | 'dns';
  /** Fails on data (findOrThrow): it may guard what follows. */
  readonly mayVeto?: boolean;
  /** Fetches one unit of work from a queue or stream (work source). */
  readonly work?: boolean;
  /** The service takes several such requests as one. */
  readonly together?: Together;
}

export interface Together {
  /** What to do, as a sentence without its full stop. */
  readonly how: string;
  /** The option that takes a list in place of one. */
  readonly option?: string;
  /** Options that only a request of its own can have. */
  readonly except?: RegExp;
}
