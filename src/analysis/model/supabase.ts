import { each } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const run: Effect = { env: 'db', op: 'builder' };

/** Whatever is chained to a statement leaves it what it is; `select` after a write asks for the rows back. */
const FURTHER =
  'eq neq gt gte lt lte like likeAllOf likeAnyOf ilike ilikeAllOf ilikeAnyOf regexMatch regexIMatch is isDistinct ' +
  'in notIn contains containedBy rangeGt rangeGte rangeLt rangeLte rangeAdjacent overlaps textSearch match not or filter ' +
  'select order limit range abortSignal single maybeSingle csv geojson explain rollback returns overrideTypes maxAffected ' +
  'throwOnError stripNulls setHeader retry';

const statement: LibraryType = {
  role: 'builder',
  awaited: { returns: 'any', effect: run },
  members: {
    ...each(FURTHER, { returns: 'this' }),
    then: { returns: 'Promise<any>', effect: run },
  },
};

const started: Readonly<Record<string, Member>> = {
  from: { returns: 'PostgrestQueryBuilder', step: { table: 0 } },
  rpc: { returns: 'PostgrestFilterBuilder', step: { op: 'unknown' } },
  schema: { returns: 'PostgrestClient' },
};

const reading: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'read' } };
const writing: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'write' } };

const client = { returns: 'SupabaseClient' } as const;

/** One HTTP request per statement, each of which is its own transaction: PostgREST has none for several. */
export const supabase: readonly Library[] = [
  {
    name: '@supabase/supabase-js',
    modules: ['@supabase/supabase-js'],
    verifiedWith: '2.109.0',
    remedies: {
      bulk: 'Insert all rows with one `insert([…])`',
      saved: 'Write all rows with one `upsert([…])`',
    },
    isForPages: true,
    commitsEach: true,
    answersErrors: true,
    exports: { createClient: client, SupabaseClient: { construct: client } },
    types: {
      SupabaseClient: {
        concurrency: 'pooled',
        members: { ...started, storage: { type: 'StorageClient' } },
      },
      PostgrestClient: { concurrency: 'pooled', members: started },
      PostgrestQueryBuilder: {
        members: {
          select: { returns: 'PostgrestFilterBuilder', step: { op: 'read' } },
          ...each('insert upsert update delete', {
            returns: 'PostgrestFilterBuilder',
            step: { op: 'write' },
          }),
        },
      },
      StorageClient: {
        members: {
          from: { returns: 'StorageFileApi' },
          ...each('listBuckets getBucket', reading),
          ...each('createBucket updateBucket emptyBucket deleteBucket', writing),
        },
      },
      StorageFileApi: {
        members: {
          ...each('list listV2 info exists download createSignedUrl createSignedUrls', reading),
          ...each('upload update uploadToSignedUrl createSignedUploadUrl move copy', writing),
          ...each('remove purgeCache', writing),
          getPublicUrl: { returns: 'any' },
        },
      },
      PostgrestFilterBuilder: statement,
      PostgrestTransformBuilder: statement,
    },
  },
  {
    name: '@supabase/ssr',
    modules: ['@supabase/ssr'],
    verifiedWith: '0.12.7',
    exports: { createServerClient: { returns: '@supabase/supabase-js.SupabaseClient' } },
    types: {},
  },
];
