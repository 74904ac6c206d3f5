import { each, withDefault } from './members.ts';
import type { Library, LibraryType, Member } from './schema.ts';

export const reading: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'read' } };
export const writing: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'write' } };

/** Any path of resources leads to a call, which writes unless its name is that of a read, or it is one of `members`. */
export function resource(members: Readonly<Record<string, Member>>): LibraryType {
  return {
    call: writing,
    members,
    memberPatterns: [[/^(?:list|retrieve|search)(?![a-z])/, reading]],
    anyMember: { type: 'Resource' },
  };
}

interface Service {
  readonly name: string;
  readonly modules?: readonly string[];
  readonly verifiedWith: string;
  readonly className: string;
  /** Other classes of the same kind. */
  readonly alsoNamed?: string;
  /** Called without `new`, it gives the same: `require('stripe')(key)`. */
  readonly isCalled?: boolean;
  /** Methods of any resource that only ask, or send nothing. */
  readonly members: Readonly<Record<string, Member>>;
  /** What the client itself has beside resources of which nothing more is known. */
  readonly own?: Readonly<Record<string, Member>>;
  readonly types?: Readonly<Record<string, LibraryType>>;
}

/** A client whose methods, however deep (`stripe.checkout.sessions.create`), are HTTP requests. */
export function service({
  name,
  modules,
  verifiedWith,
  className,
  alsoNamed = className,
  isCalled = false,
  members,
  own,
  types,
}: Service): Library {
  const client: Member = { construct: { returns: 'Client' } };
  const { exports, namespace } = withDefault(
    { [className]: client, ...each(alsoNamed, client) },
    isCalled ? { ...client, call: { returns: 'Client' } } : client,
  );
  return {
    name,
    modules: modules ?? [name],
    verifiedWith,
    isHosted: true,
    exports,
    types: {
      Namespace: namespace,
      [className]: { extends: 'Client' },
      Client: { members: own ?? {}, anyMember: { type: 'Resource' } },
      Resource: resource(members),
      ...types,
    },
  };
}
