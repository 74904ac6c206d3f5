import { libraryNamed, typeOf } from '../analysis/model/index.ts';
import {
  type MeasuredClass,
  type MeasuredPackage,
  measuredPackages,
} from '../analysis/model/measured.ts';
import type { LibraryType, Member, Signature } from '../analysis/model/schema.ts';
import type {
  AcquiringMethod,
  DriverClass,
  DriverPlan,
  End,
  MeasuredMethod,
} from '../runtime/plan.ts';

/** Which calls of drivers a running program measures, by what the model states of them. */
export function driverPlans(): readonly DriverPlan[] {
  return Object.entries(measuredPackages).flatMap(([name, measured]) =>
    Object.entries(measured.files).map(([path, classes]): DriverPlan => {
      const { driver = name, isStore, poolIn } = measured;
      return {
        ...{ file: `${name}/${path}`, driver, kind: isStore ? 'network' : 'db' },
        ...(poolIn !== undefined && { poolIn }),
        classes: Object.entries(classes).map(([exported, it]) => classOf(exported, it, measured)),
      };
    }),
  );
}

function classOf(exported: string, given: MeasuredClass, measured: MeasuredPackage): DriverClass {
  const model = typeof given === 'string' ? typeNamed(given) : undefined;
  const methods = typeof given === 'string' ? methodsOf(given, measured) : given;
  const lends = methods.some((it) => it.does === 'acquire');
  return {
    ...{ export: exported, methods },
    ...(lends &&
      measured.size && {
        size: {
          at: measured.size,
          ...(model?.pool?.max !== undefined && { otherwise: model.pool.max }),
        },
      }),
  };
}

function methodsOf(type: string, measured: MeasuredPackage): readonly MeasuredMethod[] {
  const { statementText: property = 'text', statementEnds = [] } = measured;
  const { role, members = {} } = typeNamed(type);
  return Object.entries(members).flatMap(([name, member]): MeasuredMethod[] => {
    if (acquires(member)) return [acquiring(libraryOf(type), name, member)];
    if (typeof member.releases === 'number')
      return [{ does: 'release', name, connection: member.releases }];
    // What a pool sends itself, it sends on one of its connections.
    if (role === 'pool' || member.effect?.op !== 'sql') return [];
    const at = member.effect.argument ?? 0;
    const ends = [...endsOf(member), ...statementEnds];
    return [{ does: 'send', name, sent: { shape: 'text', at, property }, ends }];
  });
}

function acquires({ acquires: kind }: Signature): boolean {
  return kind === 'connection';
}

function endsOf(member: Member): readonly End[] {
  const { callback } = member.withCallback ?? member;
  return callback ? [{ argument: callback.at, gets: 'error or result' }] : [];
}

function acquiring(library: string, name: string, member: Member): AcquiringMethod {
  const given = member.withCallback ?? member;
  const params = given.callback?.params ?? [];
  const connection = params.findIndex(
    (it) => it !== undefined && it !== 'error' && it !== 'release',
  );
  const release = params.indexOf('release');
  const lent = member.returns?.match(/^Promise<(.*)>$/)?.[1] ?? params[connection];
  return {
    ...{ does: 'acquire', name },
    releases: lent === undefined ? [] : releasesOf(typeNamed(`${library}.${lent}`)),
    ...(given.callback && {
      callback: {
        ...{ at: given.callback.at, connection },
        ...(release !== -1 && { release }),
      },
    }),
  };
}

/** A method that keeps the place of its connection in the pool ends no hold. */
function releasesOf({ members = {} }: LibraryType): readonly string[] {
  return Object.entries(members).flatMap(([name, it]) =>
    it.releases === 'this' && !it.keepsPlace ? [name] : [],
  );
}

/** `pg` of `pg.Pool`. */
function libraryOf(type: string): string {
  return type.slice(0, type.lastIndexOf('.'));
}

function typeNamed(name: string): LibraryType {
  const library = libraryNamed(libraryOf(name));
  const type = library && typeOf(library, name);
  if (!type) throw new Error(`The model has no type ${name}`);
  return type;
}
